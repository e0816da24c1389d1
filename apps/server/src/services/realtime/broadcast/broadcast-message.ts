import type { StoredMessage } from '../messages/stored-message.ts';
import { encodeMessage, type Serializer } from '../sockets/frame.ts';

/** Either the whole event object as JSON text, or a user's event with its payload as bytes. */
export type BroadcastContent =
  | { readonly form: 'object'; readonly json: string }
  | {
      readonly form: 'user';
      readonly event: string;
      readonly encoding: 'json' | 'binary';
      readonly bytes: Buffer;
      /** `{id, replayed}` as JSON text. */
      readonly metaJson?: string;
    };

/** As it goes out: text for text frames, bytes for binary ones; null where a serializer cannot say it. */
export type EncodedBroadcast = { readonly data: Buffer; readonly isBinary: boolean } | null;

/** A broadcast on its way to many sockets: each serializer's form is made once, when the first socket asks. */
export class BroadcastMessage {
  /** The channel's name without `realtime:`. */
  readonly topic: string;
  readonly isPrivate: boolean;
  /** The stored message's id: whoever has had it replayed does not get it twice. */
  readonly id: string | undefined;
  readonly content: BroadcastContent;
  readonly #encoded: [EncodedBroadcast?, EncodedBroadcast?] = [];

  constructor(topic: string, isPrivate: boolean, content: BroadcastContent, id?: string) {
    this.topic = topic;
    this.isPrivate = isPrivate;
    this.content = content;
    this.id = id;
  }

  encode(serializer: Serializer): EncodedBroadcast {
    const known = this.#encoded[serializer - 1];
    if (known !== undefined) return known;
    const fresh = encode(serializer, `realtime:${this.topic}`, this.content);
    this.#encoded[serializer - 1] = fresh;
    return fresh;
  }
}

function encode(serializer: Serializer, topic: string, content: BroadcastContent): EncodedBroadcast {
  if (content.form === 'user' && serializer === 2) {
    const data = encodeUserBroadcast(topic, content);
    if (data) return { data, isBinary: true };
  }
  const payloadJson = toObjectJson(content);
  if (payloadJson === undefined) return null;
  const text = encodeMessage(serializer, {
    joinRef: null,
    ref: null,
    topic,
    event: 'broadcast',
    payloadJson,
  });
  return { data: Buffer.from(text), isBinary: false };
}

/** Undefined for raw bytes: JSON cannot say them, so a 1.0.0 socket goes without (protocol note, section 3.1). */
function toObjectJson(content: BroadcastContent): string | undefined {
  if (content.form === 'object') return content.json;
  if (content.encoding === 'binary') return undefined;
  const { event, bytes, metaJson } = content;
  return toBroadcastJson(event, bytes.toString('utf8'), metaJson);
}

/** The event object of a broadcast (protocol note, section 3.4). */
export function toBroadcastJson(event: string, payloadJson: string, metaJson?: string): string {
  const meta = metaJson === undefined ? '' : `,"meta":${metaJson}`;
  return `{"type":"broadcast","event":${JSON.stringify(event)},"payload":${payloadJson}${meta}}`;
}

const KIND = 4;
const MAX_NAME_BYTES = 255;

/**
 * The server's binary broadcast (protocol note, section 3.1): kind 4, three lengths, the encoding, topic, event,
 * metadata, and the payload as it came.
 * @returns undefined when a name does not fit into its one byte of length.
 */
function encodeUserBroadcast(
  topic: string,
  content: {
    readonly event: string;
    readonly encoding: 'json' | 'binary';
    readonly bytes: Buffer;
    readonly metaJson?: string;
  },
): Buffer | undefined {
  const { event, encoding, bytes, metaJson = '' } = content;
  const names = [topic, event, metaJson].map((name) => Buffer.from(name));
  const lengths = names.map(({ length }) => length);
  if (lengths.some((length) => length > MAX_NAME_BYTES)) return undefined;
  const header = Buffer.from([KIND, ...lengths, encoding === 'json' ? 1 : 0]);
  return Buffer.concat([header, ...names, bytes]);
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Whether the bytes are one JSON value in UTF-8. */
export function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(decoder.decode(bytes));
    return true;
  } catch {
    return false;
  }
}

/**
 * A row of `realtime.messages` as a broadcast with its id in `meta` (protocol note, section 3.5).
 * @param isReplayed whether it is sent again to somebody who joins, and says so.
 */
export function toStoredBroadcast(stored: StoredMessage, isReplayed = false): BroadcastMessage {
  const { id, topic, event, isPrivate, payloadJson, bytes } = stored;
  const metaJson = JSON.stringify(isReplayed ? { id, replayed: true } : { id });
  if (bytes === null) {
    const json = toBroadcastJson(event, payloadJson ?? 'null', metaJson);
    return new BroadcastMessage(topic, isPrivate, { form: 'object', json }, id);
  }
  return new BroadcastMessage(
    topic,
    isPrivate,
    { form: 'user', event, encoding: 'binary', bytes, metaJson },
    id,
  );
}
