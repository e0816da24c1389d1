import { expect } from 'vitest';
import type { ChangeFeed, RowChange } from '../change-feed.ts';

export type FeedRecord = {
  readonly changes: RowChange[];
  readonly messages: { readonly prefix: string; readonly content: Buffer }[];
  readonly gaps: string[];
  /** Positions of commits, each with how many changes had been heard by then. */
  readonly commits: { readonly lsn: bigint; readonly heard: number }[];
  /** The changes of one table, as soon as there are so many. */
  changesOf(table: string, count: number): Promise<RowChange[]>;
  stop(): void;
};

/** Writes down everything a listener is told. */
export function recordFeed(feed: ChangeFeed): FeedRecord {
  const changes: RowChange[] = [];
  const messages: FeedRecord['messages'] = [];
  const gaps: string[] = [];
  const commits: FeedRecord['commits'] = [];
  const stop = feed.listen({
    change: (change) => changes.push(change),
    message: (prefix, content) => messages.push({ prefix, content }),
    commit: (lsn) => commits.push({ lsn, heard: changes.length }),
    gap: (reason) => gaps.push(reason),
  });
  const of = (table: string) => changes.filter((change) => change.table.name === table);
  return {
    changes,
    messages,
    gaps,
    commits,
    stop,
    async changesOf(table, count) {
      await expect
        .poll(() => of(table).length, { interval: 5, timeout: 10_000 })
        .toBeGreaterThanOrEqual(count);
      return of(table);
    },
  };
}
