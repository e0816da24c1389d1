import { setTimeout as sleep } from 'node:timers/promises';
import type { FeedListener } from './change-feed.ts';

/** What was complete when somebody looked, in the low 32 bits of transaction numbers, which pgoutput speaks of. */
export type Snapshot = {
  /** This transaction and later ones were not complete. */
  readonly xmax: number;
  /** Nor were these. */
  readonly inProgress: ReadonlySet<number>;
};

export type CommitGateOptions = {
  readonly listener: Required<FeedListener>;
  /** What whoever reads the database from now on will see. */
  readonly readSnapshot: () => Promise<Snapshot>;
};

export type CommitGate = Required<FeedListener> & {
  /** What comes from now on belongs to this transaction. */
  begin(xid: number): void;
};

/** After this long a transaction is told all the same: a commit that waits for a standby may take any time. */
const PATIENCE_MS = 500;
/** Nor is more than this kept, however long the database takes to answer. */
const MAX_HELD = 10_000;
/** A commit becomes readable within microseconds, unless its process is not given the processor. */
const ASK_AGAIN_MS = 1;

type Held = { readonly xid: number; readonly until: number; readonly calls: (() => void)[] };

/**
 * Keeps each transaction until everybody can read it, and everything in its order. Postgres sends a commit from its log a moment
 * before others see it: whoever reads again because of a change must not find what was there before.
 */
export function createCommitGate({ listener, readSnapshot }: CommitGateOptions): CommitGate {
  /** In the order of their commits; the last one may still be arriving. */
  const held: Held[] = [];
  let count = 0;
  let isAsking = false;

  function pass(call: () => void): void {
    const last = held.at(-1);
    if (last === undefined) {
      call();
      return;
    }
    last.calls.push(call);
    count += 1;
    if (count > MAX_HELD) release(() => true);
  }

  /** Tells the oldest, as far as they may be told. @returns whether there was one. */
  function release(mayBeTold: (transaction: Held) => boolean): boolean {
    let released = false;
    for (let next = held[0]; next !== undefined && mayBeTold(next); next = held[0]) {
      held.shift();
      count -= next.calls.length;
      for (const call of next.calls) call();
      released = true;
    }
    return released;
  }

  async function ask(): Promise<void> {
    isAsking = true;
    while (held.length > 0) {
      const asked = new Set(held);
      const snapshot = await readSnapshot().catch(() => undefined);
      // Without an answer nobody can say better; a transaction that began meanwhile is asked for anew.
      const mayBeTold = (transaction: Held) =>
        performance.now() > transaction.until ||
        (asked.has(transaction) && (snapshot === undefined || isReadable(transaction.xid, snapshot)));
      if (!release(mayBeTold)) await sleep(ASK_AGAIN_MS);
    }
    isAsking = false;
  }

  return {
    begin(xid) {
      held.push({ xid, until: performance.now() + PATIENCE_MS, calls: [] });
      if (!isAsking) void ask();
    },
    change: (change) => pass(() => listener.change(change)),
    message: (prefix, content) => pass(() => listener.message(prefix, content)),
    commit: (commitLsn) => pass(() => listener.commit(commitLsn)),
    gap: (reason) => pass(() => listener.gap(reason)),
  };
}

/** Transaction numbers go round: half of them lie before each, half behind. */
function isReadable(xid: number, { xmax, inProgress }: Snapshot): boolean {
  return ((xid - xmax) | 0) < 0 && !inProgress.has(xid >>> 0);
}

/** @param text of a `pg_snapshot`: `xmin:xmax:xip,xip` in 64 bits. */
export function parseSnapshot(text: string): Snapshot {
  const [, xmax = '0', inProgress = ''] = text.split(':');
  const low = (xid: string) => Number(BigInt.asUintN(32, BigInt(xid)));
  return { xmax: low(xmax), inProgress: new Set(inProgress.split(',').filter(Boolean).map(low)) };
}
