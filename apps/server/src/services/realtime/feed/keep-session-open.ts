import type { Logger } from 'pino';
import { type FeedLimits, FeedSetupError } from './change-feed.ts';
import type { FeedSession } from './open-feed-session.ts';

export type SessionKeeperOptions = {
  readonly open: (onLive: () => void) => FeedSession;
  /** Whether anybody listens or waits. */
  readonly isWanted: () => boolean;
  /** @param reason of the loss before, when something may have been missed since. */
  readonly onLive: (reason: string | undefined) => void;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly now: () => Date;
} & Pick<FeedLimits, 'slowStartMs' | 'lingerMs'>;

export type SessionKeeper = {
  /** To be called when `isWanted` may have changed: opens a session, or closes it after a while. */
  reconsider(): void;
  isLive(): boolean;
  isStopped(): boolean;
  /** How many sessions were live so far. */
  connections(): number;
  session(): FeedSession | undefined;
  stop(): Promise<void>;
};

/** A slot begins where no transaction is under way that began before it. */
const SLOW_START =
  'the change feed waits for transactions that are under way; find them in pg_stat_activity (xact_start)';

/** Holds one session open for as long as it is wanted, with growing delays while that fails. */
export function keepSessionOpen(options: SessionKeeperOptions): SessionKeeper {
  let session: FeedSession | undefined;
  let isLive = false;
  let isStopped = false;
  let connections = 0;
  let running: Promise<void> | undefined;
  let resting: NodeJS.Timeout | undefined;
  let wake: () => void = () => undefined;

  async function run(): Promise<void> {
    const outage = createOutage(options.logger, options.now);
    while (!isStopped && options.isWanted()) {
      let liveSince: Date | undefined;
      const slow = setTimeout(() => options.logger.warn(SLOW_START), options.slowStartMs);
      session = options.open(() => {
        clearTimeout(slow);
        liveSince = options.now();
        isLive = true;
        connections += 1;
        options.onLive(outage.end());
      });
      const fault = await session.ended;
      clearTimeout(slow);
      isLive = false;
      session = undefined;
      if (fault !== undefined && !isStopped) await pause(outage.begin(fault, liveSince));
    }
    running = undefined;
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function close(): Promise<void> {
    isLive = false;
    wake();
    await session?.close();
  }

  return {
    reconsider() {
      if (isStopped) return;
      if (options.isWanted()) {
        clearTimeout(resting);
        resting = undefined;
        running ??= run();
      } else resting ??= setTimeout(close, options.lingerMs).unref();
    },
    isLive: () => isLive,
    isStopped: () => isStopped,
    connections: () => connections,
    session: () => session,
    async stop() {
      isStopped = true;
      clearTimeout(resting);
      await close();
      await running;
    },
  };
}

type Outage = {
  /** @returns how long to wait before the next attempt, in milliseconds. */
  begin(fault: Error, liveSince: Date | undefined): number;
  /** @returns why something may have been missed since the last live session, if so. */
  end(): string | undefined;
};

const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 5_000;
/** What an operator has to mend is looked at again, in case they did. */
const SETUP_DELAY_MS = 30_000;
/** A session that lived this long was no failure of ours: the next attempt comes soon. */
const STEADY_MS = 10_000;

/** From the loss of a session to the next one that is live: what is logged, how long to wait, what listeners are told. */
function createOutage(logger: Pick<Logger, 'info' | 'warn'>, now: () => Date): Outage {
  let since: Date | undefined;
  let missedBy: string | undefined;
  let lastLogged: string | undefined;
  let delay = FIRST_DELAY_MS;
  return {
    begin(fault, liveSince) {
      since ??= now();
      if (liveSince) missedBy ??= fault.message;
      if (liveSince && since.getTime() - liveSince.getTime() > STEADY_MS) delay = FIRST_DELAY_MS;
      const { message, passes } = explainFeedFailure(fault);
      // Once an outage, and again when the reason is another.
      if (message !== lastLogged) logger.warn({ err: fault }, message);
      lastLogged = message;
      if (!passes) return SETUP_DELAY_MS;
      // Copies that lost the same database do not all come back in the same moment.
      const wait = delay * (0.5 + Math.random() / 2);
      delay = Math.min(delay * 2, MAX_DELAY_MS);
      return wait;
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
