import type { Channel } from '../channels/channel.ts';
import type { Topics } from '../channels/create-topics.ts';
import { encodeMessage } from '../sockets/encode-message.ts';
import type { GatheredDiff, PresenceDiff } from './presence-entry.ts';
import { renderDiff } from './render-presence.ts';

/** A `presence_diff` to every member of the topic that listens to presence, encoded once a serializer. */
export function tellPresence(topics: Topics, diff: GatheredDiff): void {
  const topic = `realtime:${diff.topic}`;
  const payloadJson = renderDiff(diff);
  const encoded = new Map<number, Buffer>();
  for (const channel of topics.members(diff.topic, diff.isPrivate)) {
    if (!channel.hearsPresence || !channel.reads.presence) continue;
    if (channel.presenceSequence >= diff.firstSequence) {
      tellRest(channel, diff.after(channel.presenceSequence));
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
function tellRest(channel: Channel, rest: PresenceDiff): void {
  if (rest.joins.length > 0 || rest.leaves.length > 0) channel.send('presence_diff', renderDiff(rest));
}
