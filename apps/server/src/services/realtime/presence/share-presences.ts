import type { Channel } from '../channels/channel.ts';
import type { Topics } from '../channels/create-topics.ts';
import type { ClusterBus, ClusterListener, PeerMessage } from '../cluster/cluster-bus.ts';
import { encodeMessage } from '../sockets/frame.ts';
import {
  type GatheredDiff,
  type PresenceDiff,
  type PresenceEntry,
  type PresenceRegister,
  renderDiff,
} from './create-presence-register.ts';

const KIND = 'presence';
/** In front of everything that a copy holds, and behind it: what was not named in between is no more. */
const ALL = 'presence:all';
const END = 'presence:end';
/** Of one message between copies. */
const MAX_ENTRIES = 200;

/** Tells the other copies what has come and gone here; what they hold themselves they know. */
export function publishPresence(bus: Pick<ClusterBus, 'copyId' | 'publish'>, diff: PresenceDiff): void {
  const { topic, isPrivate } = diff;
  const joins = diff.joins.filter((entry) => entry.copyId === bus.copyId);
  const leaves = diff.leaves
    .filter((entry) => entry.copyId === bus.copyId)
    .map(({ id, ref }) => ({ id, ref }));
  for (let start = 0; start < Math.max(joins.length, leaves.length); start += MAX_ENTRIES) {
    bus.publish({
      kind: KIND,
      topic,
      isPrivate,
      joins: joins.slice(start, start + MAX_ENTRIES),
      leaves: leaves.slice(start, start + MAX_ENTRIES),
    });
  }
}

/**
 * Keeps the presences of the other copies: each tells its changes, and whenever another may have missed some, all that it holds.
 * A copy that goes takes its presences with it.
 */
export function sharePresences(
  bus: Pick<ClusterBus, 'copyId' | 'publish'>,
  register: PresenceRegister,
): Required<ClusterListener> {
  /** Of copies that are telling everything: what they have not named yet, and where it is. */
  const doubted = new Map<string, Map<string, PresenceDiff>>();

  function applyDiff(from: string, { topic, isPrivate, joins, leaves }: PresenceDiff): void {
    const place = { topic, isPrivate };
    for (const { id, ref } of leaves as readonly Pick<PresenceEntry, 'id' | 'ref'>[]) {
      // A new meta of the same entry may have come in the meantime: only the one that was meant leaves.
      if (register.find(place, id)?.ref === ref) register.remove(place, id);
    }
    for (const entry of joins) {
      doubted.get(from)?.delete(entry.id);
      register.put(place, entry);
    }
  }

  return {
    message(from: string, message: PeerMessage): void {
      if (message.kind === KIND) applyDiff(from, message as unknown as PresenceDiff);
      else if (message.kind === ALL) {
        const held = register.held(from).flatMap((diff) => diff.joins.map(({ id }) => [id, diff] as const));
        doubted.set(from, new Map(held));
      } else if (message.kind === END) {
        for (const [id, place] of doubted.get(from) ?? []) register.remove(place, id);
        doubted.delete(from);
      }
    },
    joined(): void {
      bus.publish({ kind: ALL });
      for (const diff of register.held(bus.copyId)) publishPresence(bus, diff);
      bus.publish({ kind: END });
    },
    left(copyId: string): void {
      doubted.delete(copyId);
      register.removeCopy(copyId);
    },
  };
}

/** A `presence_diff` to every member of the topic that listens to presence, encoded once a serializer. */
export function sendPresenceDiff(topics: Topics, diff: GatheredDiff): void {
  const topic = `realtime:${diff.topic}`;
  const payloadJson = renderDiff(diff);
  const encoded = new Map<number, Buffer>();
  for (const channel of topics.members(diff.topic, diff.isPrivate)) {
    // Who still joins is told the state with the answer, which holds all of this.
    if (!channel.isAnswered || !channel.receivesPresence || !channel.reads.presence) continue;
    if (channel.presenceSequence >= diff.firstSequence) {
      sendRemainingDiff(channel, diff.after(channel.presenceSequence));
      continue;
    }
    const { serializer } = channel.socket;
    let data = encoded.get(serializer);
    if (!data) {
      const message = { joinRef: null, ref: null, topic, event: 'presence_diff', payloadJson };
      data = Buffer.from(encodeMessage(serializer, message));
      encoded.set(serializer, data);
    }
    channel.socket.sendEncoded(data, false);
  }
}

/** Somebody who was sent the state while the diff was gathered has been told some of it, or all. */
function sendRemainingDiff(channel: Channel, rest: PresenceDiff): void {
  if (rest.joins.length > 0 || rest.leaves.length > 0) channel.send('presence_diff', renderDiff(rest));
}
