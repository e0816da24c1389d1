import { FeedSetupError } from './feed-setup-error.ts';

export type FeedFailure = {
  /** What an operator is told. */
  readonly message: string;
  /** Whether it ends by itself: a restart, a lost connection. */
  readonly passes: boolean;
};

/** Shown where the cause lies in how the database was set up; the server works on, only changes are not heard. */
const NOT_LIVE = 'realtime does not hear changes:';

/** SQLSTATE → what to do about it. */
const SETUP: Readonly<Record<string, string>> = {
  42501:
    'the role of DATABASE_URL may not replicate; as an administrator of that database run `alter role NAME replication`',
  28000:
    'the database refuses replication connections; allow them in pg_hba.conf for the role of DATABASE_URL',
  '08P01': 'DATABASE_URL does not reach Postgres itself; name its own port, not that of a connection pooler',
  53300: 'the database has no free walsender; raise max_wal_senders',
  53400: 'the database has no free replication slot; raise max_replication_slots',
};

/** @returns what happened to the feed, in words for the log, and whether it passes without an operator. */
export function explainFeedFailure(error: unknown): FeedFailure {
  if (error instanceof FeedSetupError)
    return { message: `${NOT_LIVE} ${explainSetup(error)}`, passes: false };
  const code = readCode(error);
  const advice = code === undefined ? undefined : SETUP[code];
  if (advice !== undefined)
    return { message: `${NOT_LIVE} ${advice}`, passes: code?.startsWith('53') ?? false };
  return { message: 'the change feed lost its connection and opens it again', passes: true };
}

function explainSetup({ lack }: FeedSetupError): string {
  return lack === 'wal_level'
    ? 'the database does not write what is needed; set wal_level = logical and restart it'
    : 'its publications are missing; run the migrations again';
}

function readCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
