import type { Pgoutput } from 'pg-logical-replication';
import type { FeedListener } from './change-feed.ts';
import { createTableCache } from './create-table-cache.ts';
import { toRowChange } from './to-row-change.ts';
import { parseWalPosition } from './wal-position.ts';

export type LogReader = {
  hear(message: Pgoutput.Message): void;
  counts(): {
    readonly commits: number;
    readonly changes: number;
    readonly messages: number;
    readonly lagMs: number;
  };
};

type Commit = { readonly committedAt: Date; readonly commitLsn: bigint };

/** Turns what pgoutput says, one transaction after the other in the order of their commits, into what listeners hear. */
export function createLogReader(listener: Required<FeedListener>, now: () => Date): LogReader {
  const tables = createTableCache();
  let transaction: Commit | undefined;
  let commits = 0;
  let changes = 0;
  let messages = 0;
  let lagMs = 0;

  function hearRow(message: Pgoutput.MessageInsert | Pgoutput.MessageUpdate | Pgoutput.MessageDelete): void {
    if (!transaction) throw new Error('a row came outside a transaction');
    changes += 1;
    listener.change(toRowChange(message, tables.tableOf(message.relation), transaction));
  }

  return {
    hear(message) {
      switch (message.tag) {
        case 'begin':
          transaction = readCommit(message);
          return;
        case 'insert':
        case 'update':
        case 'delete':
          return hearRow(message);
        case 'truncate':
          return listener.gap(`TRUNCATE of ${message.relations.map(nameOf).join(', ')}`);
        case 'message':
          messages += 1;
          // The bytes lie in the driver's buffer, which is used again.
          return listener.message(message.prefix, Buffer.from(message.content));
        case 'commit':
          commits += 1;
          if (transaction) lagMs = Math.max(0, now().getTime() - transaction.committedAt.getTime());
          transaction = undefined;
          return listener.commit(parseWalPosition(message.commitLsn ?? '0/0'));
      }
    },
    counts: () => ({ commits, changes, messages, lagMs }),
  };
}

function readCommit({ commitLsn, commitTime }: Pgoutput.MessageBegin): Commit {
  return {
    // Microseconds since 1970.
    committedAt: new Date(Number(commitTime) / 1_000),
    commitLsn: parseWalPosition(commitLsn ?? '0/0'),
  };
}

function nameOf({ schema, name }: Pgoutput.MessageRelation): string {
  return `${schema}.${name}`;
}
