import type { Logger } from 'pino';
import { createOutage } from './create-outage.ts';
import type { FeedLimits } from './feed-limits.ts';
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
