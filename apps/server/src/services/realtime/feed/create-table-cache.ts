import type { Pgoutput } from 'pg-logical-replication';
import type { FeedTable } from './change-feed.ts';

export type TableCache = {
  /** @returns the same object as long as the table is described alike, across reconnections too. */
  tableOf(relation: Pgoutput.MessageRelation): FeedTable;
};

const IDENTITY = { default: 'd', nothing: 'n', full: 'f', index: 'i' } as const;

/** Keeps the tables that were heard of: Postgres describes one before its first change and whenever it may have changed. */
export function createTableCache(): TableCache {
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
