import { type Database, queryAsRealtimeAdmin } from '../../../kernel/database.ts';
import type { StoredMessage } from '../authorization/topic-access.ts';
import { type MessageRow, toStoredMessage } from './to-stored-message.ts';

/** As on the hosted platform. */
const MOST = 25;

/**
 * What was broadcast to a private topic, oldest first: the newest `limit` messages (at most 25) since `since`, milliseconds since
 * 1970. Whether the asker may hear the topic is the caller's business.
 */
export async function listReplayedMessages(
  db: Database,
  topic: string,
  options: { readonly since: number; readonly limit: number },
): Promise<readonly StoredMessage[]> {
  const limit = Math.min(Math.trunc(options.limit), MOST);
  if (!(limit > 0) || Number.isNaN(options.since)) return [];
  const { rows } = await queryAsRealtimeAdmin<MessageRow>(db, {
    name: 'realtime_replay',
    text: `select m.id, m.topic, m.event, m.private, m.payload::text as payload, m.binary_payload
      from realtime.messages m
      where m.topic = $1 and m.extension = 'broadcast' and m.private is true and m.event is not null
        and m.inserted_at >= to_timestamp($2::float8 / 1000) at time zone 'utc'
      order by m.inserted_at desc, m.id desc limit $3`,
    values: [topic, clampTime(options.since), limit],
  });
  return rows.reverse().map(toStoredMessage);
}

/** Postgres refuses moments beyond its own calendar; before 1970 and after 3000 there are no messages. */
const LATEST = Date.UTC(3000, 0);

function clampTime(milliseconds: number): number {
  return Math.min(Math.max(milliseconds, 0), LATEST);
}
