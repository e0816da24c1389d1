import type { Logger } from 'pino';
import { explainFeedFailure } from './explain-feed-failure.ts';
import type { FeedSession } from './open-feed-session.ts';

export type SessionKeeperOptions = {
  readonly open: (onLive: () => void) => FeedSession;
  /** Whether anybody listens or waits. */
  readonly isWanted: () => boolean;
  /** @param reason of the loss before, when something may have been missed since. */
  readonly onLive: (reason: string | undefined) => void;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly now: () => Date;
  readonly slowStartMs: number;
};

export type SessionKeeper = {
  /** Opens a session unless there is one, and opens another whenever one is lost. */
  start(): void;
  isLive(): boolean;
  isStopped(): boolean;
  /** How many sessions were live so far. */
  connections(): number;
  session(): FeedSession | undefined;
  /** Ends the session that nobody wants any more; the next `start` opens one. */
  rest(): Promise<void>;
  stop(): Promise<void>;
};

const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 5_000;
/** What an operator has to mend is looked at again, in case they did. */
const SETUP_DELAY_MS = 30_000;
/** A session that lived this long was no failure of ours: the next attempt comes soon. */
const STEADY_MS = 10_000;
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
  let wake: () => void = () => undefined;

  async function run(): Promise<void> {
    const outage = createOutage(options);
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
      if (fault === undefined || isStopped) continue;
      const delay = outage.begin(fault, liveSince);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, delay);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  function start(): void {
    if (isStopped) return;
    running ??= run().finally(() => {
      running = undefined;
      // Somebody may have come in the moment in which the last one had gone.
      if (options.isWanted()) start();
    });
  }

  return {
    start,
    isLive: () => isLive,
    isStopped: () => isStopped,
    connections: () => connections,
    session: () => session,
    async rest() {
      isLive = false;
      wake();
      await session?.close();
    },
    async stop() {
      isStopped = true;
      isLive = false;
      wake();
      await session?.close();
      await running;
    },
  };
}

/** From the loss of a session to the next one that is live: what is logged, how long to wait, what listeners are told. */
function createOutage({ logger, now }: Pick<SessionKeeperOptions, 'logger' | 'now'>) {
  let since: Date | undefined;
  let missedBy: string | undefined;
  let lastLogged: string | undefined;
  let delay = FIRST_DELAY_MS;
  return {
    /** @returns how long to wait before the next attempt, in milliseconds. */
    begin(fault: Error, liveSince: Date | undefined): number {
      since ??= now();
      if (liveSince) missedBy ??= fault.message;
      if (liveSince && since.getTime() - liveSince.getTime() > STEADY_MS) delay = FIRST_DELAY_MS;
      const { message, passes } = explainFeedFailure(fault);
      // Once an outage, and again when the reason is another.
      if (message !== lastLogged) logger.warn({ err: fault }, message);
      lastLogged = message;
      if (!passes) return SETUP_DELAY_MS;
      const wait = delay * (0.5 + Math.random() / 2);
      delay = Math.min(delay * 2, MAX_DELAY_MS);
      return wait;
    },
    /** @returns why something may have been missed. */
    end(): string | undefined {
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
