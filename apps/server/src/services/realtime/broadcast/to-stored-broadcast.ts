import type { StoredMessage } from '../authorization/topic-access.ts';
import { BroadcastMessage, toBroadcastJson } from './broadcast-message.ts';

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
