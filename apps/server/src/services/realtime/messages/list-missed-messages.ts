import { type Database, queryAsRealtimeAdmin } from '../../../kernel/database.ts';
import type { StoredMessage } from '../authorization/topic-access.ts';
import { type MessageRow, toStoredMessage } from './to-stored-message.ts';

/** Enough for a short absence; after a long one the newest count. */
const MOST = 1_000;

/** What was stored since a moment, oldest first: the newest thousand. */
export async function listMissedMessages(db: Database, since: Date): Promise<readonly StoredMessage[]> {
  const { rows } = await queryAsRealtimeAdmin<MessageRow>(db, {
    name: 'realtime_missed',
    text: `select m.id, m.topic, m.event, m.private, m.payload::text as payload, m.binary_payload
      from realtime.messages m
      where m.inserted_at >= $1::timestamptz at time zone 'utc' and m.extension = 'broadcast' and m.event is not null
      order by m.inserted_at desc, m.id desc limit $2`,
    values: [since.toISOString(), MOST],
  });
  return rows.reverse().map(toStoredMessage);
}
