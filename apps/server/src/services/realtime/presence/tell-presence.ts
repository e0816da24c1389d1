import type { Topics } from '../channels/create-topics.ts';
import type { CopyBus, CopyMessage } from '../copies/copy-bus.ts';
import { encodeMessage } from '../sockets/encode-message.ts';
import type { PresenceRegister } from './create-presence-register.ts';
import type { PresenceDiff, PresenceEntry } from './presence-entry.ts';
import { renderDiff } from './render-presence.ts';

/** A `presence_diff` to every member of the topic that listens to presence, encoded once a serializer. */
export function tellPresence(topics: Topics, diff: PresenceDiff): void {
  const topic = `realtime:${diff.topic}`;
  const payloadJson = renderDiff(diff);
  const encoded = new Map<number, Buffer>();
  for (const channel of topics.members(diff.topic, diff.isPrivate)) {
    if (!channel.hearsPresence || !channel.reads.presence) continue;
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

const KIND = 'presence';
/** Of one message between copies. */
const MOST_ENTRIES = 200;

/** Tells the other copies what has come and gone here; what they hold themselves they know. */
export function publishPresence(bus: Pick<CopyBus, 'copyId' | 'publish'>, diff: PresenceDiff): void {
  const { topic, isPrivate } = diff;
  const joins = diff.joins.filter((entry) => entry.copyId === bus.copyId);
  const leaves = diff.leaves
    .filter((entry) => entry.copyId === bus.copyId)
    .map(({ id, ref }) => ({ id, ref }));
  for (let start = 0; start < Math.max(joins.length, leaves.length); start += MOST_ENTRIES) {
    bus.publish({
      kind: KIND,
      topic,
      isPrivate,
      joins: joins.slice(start, start + MOST_ENTRIES),
      leaves: leaves.slice(start, start + MOST_ENTRIES),
    });
  }
}

/** Takes in what `publishPresence` of another copy sent. @returns false for a message of another kind. */
export function hearPresence(register: PresenceRegister, message: CopyMessage): boolean {
  if (message.kind !== KIND) return false;
  const { topic, isPrivate, joins, leaves } = message as unknown as PresenceDiff;
  const place = { topic, isPrivate };
  for (const { id, ref } of leaves as readonly Pick<PresenceEntry, 'id' | 'ref'>[]) {
    // A new meta of the same entry may have come in the meantime: only the one that was meant leaves.
    if (register.find(place, id)?.ref === ref) register.remove(place, id);
  }
  for (const entry of joins) register.put(place, entry);
  return true;
}
