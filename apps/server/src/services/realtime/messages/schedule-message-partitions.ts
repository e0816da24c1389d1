import type { Logger } from 'pino';
import { type Database, queryAsRealtimeAdmin } from '../../../kernel/database.ts';

const EVERY_MS = 3_600_000;

/**
 * Keeps `realtime.messages` in shape: partitions for today and the days ahead are made, those older than three days dropped,
 * at once and then every hour. Any number of copies may do so.
 * @returns stops it.
 */
export function scheduleMessagePartitions(
  db: Database,
  logger: Pick<Logger, 'warn'>,
  everyMs = EVERY_MS,
): () => void {
  const maintain = () => {
    queryAsRealtimeAdmin(db, { text: 'select realtime.maintain_message_partitions()' }).catch(
      (err: unknown) => logger.warn({ err }, 'the partitions of realtime.messages could not be maintained'),
    );
  };
  maintain();
  const timer = setInterval(maintain, everyMs).unref();
  return () => clearInterval(timer);
}
