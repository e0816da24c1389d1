import { pino } from 'pino';
import { expect, onTestFinished } from 'vitest';
import { type ChangeFeedOptions, createChangeFeed, type MeasuredChangeFeed } from '../create-change-feed.ts';

export type WatchedFeed = {
  readonly feed: MeasuredChangeFeed;
  /** What it logged. */
  readonly lines: readonly { readonly level: number; readonly msg: string }[];
  warnings(): string[];
  /** Resolves when it is live on its first, second … connection. */
  isLiveAgain(connections: number): Promise<void>;
};

const WARN = 40;

/** A feed that is stopped with its test. */
export function openWatchedFeed(options: Omit<ChangeFeedOptions, 'logger' | 'now'>): WatchedFeed {
  const lines: { level: number; msg: string }[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const feed = createChangeFeed({ ...options, logger, now: () => new Date() });
  onTestFinished(() => feed.stop());
  return {
    feed,
    lines,
    warnings: () => lines.filter(({ level }) => level >= WARN).map(({ msg }) => msg),
    async isLiveAgain(connections) {
      await expect.poll(() => feed.figures().connections, { timeout: 10_000 }).toBe(connections);
      await feed.whenLive(10_000);
    },
  };
}
