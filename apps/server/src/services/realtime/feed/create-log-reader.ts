import type { Pgoutput } from 'pg-logical-replication';
import { type FeedTable, parseWalPosition, type RowChange, type RowText } from './change-feed.ts';
import type { CommitGate } from './create-commit-gate.ts';

export type LogReader = {
  receive(message: Pgoutput.Message): void;
  counts(): {
    readonly commits: number;
    readonly changes: number;
    readonly messages: number;
    readonly lagMs: number;
  };
};

type Commit = { readonly committedAt: Date; readonly commitLsn: bigint };

/** Turns what pgoutput says, one transaction after the other in the order of their commits, into what listeners receive. */
export function createLogReader(listener: CommitGate, now: () => Date): LogReader {
  const tables = createTableCache();
  let transaction: Commit | undefined;
  let commits = 0;
  let changes = 0;
  let messages = 0;
  let lagMs = 0;

  function receiveRow(
    message: Pgoutput.MessageInsert | Pgoutput.MessageUpdate | Pgoutput.MessageDelete,
  ): void {
    if (!transaction) throw new Error('a row came outside a transaction');
    changes += 1;
    listener.change(toRowChange(message, tables.tableOf(message.relation), transaction));
  }

  return {
    receive(message) {
      switch (message.tag) {
        case 'begin':
          transaction = readCommit(message);
          return listener.begin(message.xid);
        case 'insert':
        case 'update':
        case 'delete':
          return receiveRow(message);
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

type RowMessage = Pgoutput.MessageInsert | Pgoutput.MessageUpdate | Pgoutput.MessageDelete;
type Values = Readonly<Record<string, string | null | undefined>>;

/** Puts a pgoutput message, whose values are text by column name, into the table's order of columns. */
function toRowChange(
  message: RowMessage,
  table: FeedTable,
  commit: Pick<RowChange, 'committedAt' | 'commitLsn'>,
): RowChange {
  const inOrder = (values: Values): RowText => table.columns.map(({ name }) => values[name]);
  switch (message.tag) {
    case 'insert':
      return { type: 'INSERT', table, row: inOrder(message.new), oldRow: null, ...commit };
    case 'update': {
      const old = message.old ?? message.key;
      // What was not sent again is already filled in from a whole old row.
      return { type: 'UPDATE', table, row: inOrder(message.new), oldRow: old && inOrder(old), ...commit };
    }
    case 'delete': {
      const old = message.old ?? message.key;
      return { type: 'DELETE', table, row: null, oldRow: old && inOrder(old), ...commit };
    }
  }
}

type TableCache = {
  /** @returns the same object as long as the table is described alike, across reconnections too. */
  tableOf(relation: Pgoutput.MessageRelation): FeedTable;
};

const IDENTITY = { default: 'd', nothing: 'n', full: 'f', index: 'i' } as const;

/** Keeps the tables that were described: Postgres describes one before its first change and whenever it may have changed. */
function createTableCache(): TableCache {
  const byRelation = new WeakMap<Pgoutput.MessageRelation, FeedTable>();
  const byOid = new Map<number, FeedTable>();
  return {
    tableOf(relation) {
      const known = byRelation.get(relation);
      if (known) return known;
      const table = describe(relation);
      const before = byOid.get(table.oid);
      const kept = before && isAlike(before, table) ? before : table;
      byOid.set(kept.oid, kept);
      byRelation.set(relation, kept);
      return kept;
    },
  };
}

function describe(relation: Pgoutput.MessageRelation): FeedTable {
  return {
    oid: toUnsigned(relation.relationOid),
    // pgoutput leaves the catalogue's own schema unnamed.
    schema: relation.schema === '' ? 'pg_catalog' : relation.schema,
    name: relation.name,
    identity: IDENTITY[relation.replicaIdentity],
    columns: relation.columns.map(({ name, typeOid, flags }) => ({
      name,
      typeOid: toUnsigned(typeOid),
      isKey: (flags & 1) === 1,
    })),
  };
}

/** Object identifiers go up to 2³²; the package reads them as signed. */
function toUnsigned(oid: number): number {
  return oid >>> 0;
}

function isAlike(one: FeedTable, other: FeedTable): boolean {
  return (
    one.schema === other.schema &&
    one.name === other.name &&
    one.identity === other.identity &&
    one.columns.length === other.columns.length &&
    one.columns.every((column, index) => {
      const twin = other.columns[index];
      return (
        twin !== undefined &&
        column.name === twin.name &&
        column.typeOid === twin.typeOid &&
        column.isKey === twin.isKey
      );
    })
  );
}
