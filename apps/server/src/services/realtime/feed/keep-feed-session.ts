import type { Logger } from 'pino';
import { type KeptSession, keepSession, type SessionLoss } from '../../../kernel/keep-session.ts';
import { type FeedLimits, FeedSetupError } from './change-feed.ts';
import type { FeedSession } from './open-feed-session.ts';

export type KeepFeedSessionOptions = {
  readonly open: (onLive: () => void) => FeedSession;
  /** Whether anybody listens or waits. */
  readonly isWanted: () => boolean;
  /** @param reason of the loss before, when something may have been missed since. */
  readonly onLive: (reason: string | undefined) => void;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly now: () => Date;
} & Pick<FeedLimits, 'slowStartMs' | 'lingerMs'>;

export type KeptFeedSession = {
  /** To be called when `isWanted` may have changed: opens a session, or closes it after a while. */
  reconsider(): void;
  isStopped(): boolean;
  /** How many sessions were live so far. */
  connections(): number;
  /** The session while it is live. */
  current(): FeedSession | undefined;
  stop(): Promise<void>;
};

/** A slot begins where no transaction is under way that began before it. */
const SLOW_START =
  'the change feed waits for transactions that are under way; find them in pg_stat_activity (xact_start)';

/** What an operator has to mend is looked at again, in case they did. */
const SETUP_DELAY_MS = 30_000;

/** Keeps a session for as long as one is wanted. */
export function keepFeedSession(options: KeepFeedSessionOptions): KeptFeedSession {
  let kept: KeptSession<FeedSession> | undefined;
  let closing: Promise<void> | undefined;
  let lingering: NodeJS.Timeout | undefined;
  let isStopped = false;
  let connections = 0;

  function open(onReady: () => void): FeedSession {
    const slow = setTimeout(() => options.logger.warn(SLOW_START), options.slowStartMs);
    const session = options.open(() => {
      clearTimeout(slow);
      onReady();
    });
    void session.ended.then(() => clearTimeout(slow));
    return session;
  }

  function start(): KeptSession<FeedSession> {
    const outage = createOutage(options.logger, options.now);
    return keepSession({
      open,
      onReady() {
        connections += 1;
        options.onLive(outage.end());
      },
      onLost: outage.begin,
      firstDelayMs: 50,
      maxDelayMs: 5_000,
      // A session that lived this long was no failure of ours: the next attempt comes soon.
      steadyMs: 10_000,
      fixedDelayMs: (error) => (explainFeedFailure(error).passes ? undefined : SETUP_DELAY_MS),
    });
  }

  async function close(): Promise<void> {
    lingering = undefined;
    closing = kept?.stop();
    kept = undefined;
    await closing;
    closing = undefined;
    reconsider();
  }

  function reconsider(): void {
    if (isStopped) return;
    if (options.isWanted()) {
      clearTimeout(lingering);
      lingering = undefined;
      if (closing === undefined) kept ??= start();
    } else if (kept !== undefined) lingering ??= setTimeout(close, options.lingerMs).unref();
  }

  return {
    reconsider,
    isStopped: () => isStopped,
    connections: () => connections,
    current: () => kept?.current(),
    async stop() {
      isStopped = true;
      clearTimeout(lingering);
      await Promise.all([closing, kept?.stop()]);
    },
  };
}

type Outage = {
  begin(loss: SessionLoss): void;
  /** @returns why something may have been missed since the last live session, if so. */
  end(): string | undefined;
};

/** From the loss of a session to the next one that is live: what is logged, and what listeners are told. */
function createOutage(logger: Pick<Logger, 'info' | 'warn'>, now: () => Date): Outage {
  let since: Date | undefined;
  let missedBy: string | undefined;
  let lastLogged: string | undefined;
  return {
    begin({ error, wasReady }) {
      since ??= now();
      if (wasReady) missedBy ??= error.message;
      const { message } = explainFeedFailure(error);
      // Once an outage, and again when the reason is another.
      if (message !== lastLogged) logger.warn({ err: error }, message);
      lastLogged = message;
    },
    end() {
      const reason = missedBy;
      if (since)
        logger.info({ outageMs: now().getTime() - since.getTime() }, 'the change feed is live again');
      since = undefined;
      missedBy = undefined;
      lastLogged = undefined;
      return reason;
    },
  };
}

type FeedFailure = {
  /** What an operator is told. */
  readonly message: string;
  /** Whether it ends by itself: a restart, a lost connection. */
  readonly passes: boolean;
};

/** Shown where the cause lies in how the database was set up; the server works on, only changes are not received. */
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
function explainFeedFailure(error: unknown): FeedFailure {
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
