import type { ClusterBus, PeerMessage } from '../cluster/cluster-bus.ts';
import { type BroadcastContent, BroadcastMessage } from './broadcast-message.ts';

const KIND = 'broadcast';

/** JSON text travels as text, anything else as base64. */
type Wire =
  | { readonly form: 'object'; readonly json: string }
  | { readonly form: 'json'; readonly event: string; readonly text: string }
  | { readonly form: 'binary'; readonly event: string; readonly base64: string };

/** Sends a broadcast on to the other copies; each delivers it to its own sockets. */
export function publishBroadcast(bus: Pick<ClusterBus, 'publish'>, message: BroadcastMessage): void {
  const { topic, isPrivate, content } = message;
  bus.publish({ kind: KIND, topic, isPrivate, content: toWire(content) });
}

/** What `publishBroadcast` of another copy sent; undefined for a message of another kind. */
export function readPublishedBroadcast(message: PeerMessage): BroadcastMessage | undefined {
  if (message.kind !== KIND) return undefined;
  const { topic, isPrivate, content } = message as unknown as {
    readonly topic: string;
    readonly isPrivate: boolean;
    readonly content: Wire;
  };
  return new BroadcastMessage(topic, isPrivate, fromWire(content));
}

function toWire(content: BroadcastContent): Wire {
  if (content.form === 'object') return content;
  const { event, encoding, bytes } = content;
  return encoding === 'json'
    ? { form: 'json', event, text: bytes.toString('utf8') }
    : { form: 'binary', event, base64: bytes.toString('base64') };
}

function fromWire(wire: Wire): BroadcastContent {
  if (wire.form === 'object') return wire;
  const { event } = wire;
  return wire.form === 'json'
    ? { form: 'user', event, encoding: 'json', bytes: Buffer.from(wire.text) }
    : { form: 'user', event, encoding: 'binary', bytes: Buffer.from(wire.base64, 'base64') };
}
