import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { type Database, queryAsRealtimeAdmin } from '../../../kernel/database.ts';
import type { ChangeFeed } from '../feed/change-feed.ts';
import { type MessageRow, readMessageChange, type StoredMessage, toStoredMessage } from './stored-message.ts';

export type StoredMessagesDeps = {
  readonly feed: ChangeFeed;
  readonly db: Database;
  readonly logger: Pick<Logger, 'warn'>;
  readonly now: () => Date;
};

/** A broadcast that comes later than this is worth nothing any more. */
const LATEST_MS = 300_000;
/** A row is dated by the start of its transaction and received at its end; clocks differ a little, too. */
const MARGIN_MS = 60_000;
/** More than a gap is ever filled with. */
const REMEMBERED = 20_000;
const PATIENCE_MS = 30_000;
const RETRY_MS = 1_000;

/**
 * Tells of every message that `realtime.send` and its kin have stored, on whichever copy: a broadcast to be delivered, at once
 * and only once. What was stored while the feed was away is read from the table as soon as the feed is back.
 * @param onMessage must not throw.
 * @returns the way to stop.
 */
export function listenToStoredMessages(
  { feed, db, logger, now }: StoredMessagesDeps,
  onMessage: (message: StoredMessage) => void,
): () => void {
  const delivered = new LRUCache<string, true>({ max: REMEMBERED });
  const startedAt = now().getTime();
  let receivedUntil = startedAt;
  let stopped = false;
  let filling: Promise<void> | undefined;
  /** Received while the gap before them is being filled: they come after what they came after. */
  let waiting: StoredMessage[] = [];

  function deliver(message: StoredMessage): void {
    if (stopped || delivered.has(message.id)) return;
    delivered.set(message.id, true);
    onMessage(message);
  }

  async function fillGap(since: number): Promise<void> {
    while (!stopped) {
      try {
        await feed.whenLive(PATIENCE_MS);
        // What is stored from here on is received; what both tell of is delivered once.
        for (const message of await listMissedMessages(db, new Date(since))) deliver(message);
        return;
      } catch (err) {
        logger.warn({ err }, 'messages stored while the change feed was away could not be read yet');
        await setTimeout(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  function fillLater(since: number): void {
    const mine = (filling ?? Promise.resolve())
      .then(() => fillGap(since))
      .then(() => {
        if (filling === mine) endFilling();
      });
    filling = mine;
  }

  function endFilling(): void {
    filling = undefined;
    const late = waiting;
    waiting = [];
    late.forEach(deliver);
  }

  /** Nothing from before there was a listener. */
  function sinceGap(): number {
    return Math.max(receivedUntil - MARGIN_MS, now().getTime() - LATEST_MS, startedAt);
  }

  const stopListening = feed.listen({
    change: (change) => {
      const message = readMessageChange(change);
      if (message === null) return;
      if (filling !== undefined) {
        // A bound, for a database that answers nobody while its log goes on: the oldest go.
        if (waiting.push(message) > REMEMBERED) waiting.shift();
        return;
      }
      receivedUntil = change.committedAt.getTime();
      deliver(message);
    },
    gap: () => fillLater(sinceGap()),
  });
  // What is stored before the feed is open counts from now on, too.
  if (!feed.isLive()) fillLater(startedAt);
  return () => {
    stopped = true;
    stopListening();
  };
}

/** Enough for a short absence; after a long one the newest count. */
const MAX_MISSED = 1_000;

/** What was stored since a moment, oldest first: the newest thousand. */
async function listMissedMessages(db: Database, since: Date): Promise<readonly StoredMessage[]> {
  const { rows } = await queryAsRealtimeAdmin<MessageRow>(db, {
    name: 'realtime_missed',
    text: `select m.id, m.topic, m.event, m.private, m.payload::text as payload, m.binary_payload
      from realtime.messages m
      where m.inserted_at >= $1::timestamptz at time zone 'utc' and m.extension = 'broadcast' and m.event is not null
      order by m.inserted_at desc, m.id desc limit $2`,
    values: [since.toISOString(), MAX_MISSED],
  });
  return rows.reverse().map(toStoredMessage);
}

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

/** As on the hosted platform. */
const MAX_REPLAYED = 25;

/**
 * What was broadcast to a private topic, oldest first: the newest `limit` messages (at most 25) since `since`, milliseconds since
 * 1970. Whether the asker may read the topic is the caller's business.
 */
export async function listReplayedMessages(
  db: Database,
  topic: string,
  options: { readonly since: number; readonly limit: number },
): Promise<readonly StoredMessage[]> {
  const limit = Math.min(Math.trunc(options.limit), MAX_REPLAYED);
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
