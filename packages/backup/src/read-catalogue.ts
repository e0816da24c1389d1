import type pg from 'pg';

export type DatabaseTable = {
  readonly schema: string;
  readonly name: string;
  readonly owner: string;
  /** Its rows lie in partitions, and are read and written through it. */
  readonly isPartitioned: boolean;
  /** Those that are written: generated ones follow from them. */
  readonly columns: readonly string[];
  readonly bytes: number;
};

export type DatabaseSequence = { readonly schema: string; readonly name: string; readonly owner: string };

export type Catalogue = {
  /** Each after those that it refers to. */
  readonly tables: readonly DatabaseTable[];
  readonly sequences: readonly DatabaseSequence[];
  /** Schemas that are neither the product's nor Postgres's. */
  readonly foreignSchemas: readonly string[];
};

/** Where the product keeps data. What has been applied (`linkoteca_platform`, `supabase_migrations`) is the manifest's. */
const SCHEMAS = ['auth', 'payment_emulator', 'private', 'public', 'realtime', 'storage'];
const OTHERS = ['extensions', 'information_schema', 'linkoteca_platform', 'supabase_migrations'];

/** What is in the database: its tables in an order in which they can be filled, and its sequences. */
export async function readCatalogue(client: pg.ClientBase): Promise<Catalogue> {
  const tables = await client.query<DatabaseTable>(TABLES, [SCHEMAS]);
  const references = await client.query<Reference>(REFERENCES);
  const sequences = await client.query<DatabaseSequence>(SEQUENCES, [SCHEMAS]);
  const schemas = await client.query<{ name: string }>(FOREIGN_SCHEMAS, [[...SCHEMAS, ...OTHERS]]);
  return {
    tables: orderTables(
      tables.rows.map((row) => ({ ...row, bytes: Number(row.bytes) })),
      references.rows,
    ),
    sequences: sequences.rows,
    foreignSchemas: schemas.rows.map(({ name }) => name),
  };
}

const IS_OURS = `n.nspname = any ($1::text[])
  and not exists (select from pg_catalog.pg_depend d
    where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;

const TABLES = `
  select n.nspname as schema, c.relname as name, pg_catalog.pg_get_userbyid(c.relowner) as owner,
    c.relkind = 'p' as "isPartitioned",
    array(
      select a.attname::text from pg_catalog.pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      order by a.attnum
    ) as columns,
    case c.relkind
      when 'p' then (select coalesce(sum(pg_catalog.pg_table_size(t.relid)), 0) from pg_catalog.pg_partition_tree(c.oid) t)
      else pg_catalog.pg_table_size(c.oid)
    end as bytes
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition and ${IS_OURS}
  order by 1, 2
`;

type Reference = { readonly from: string; readonly to: string };

const REFERENCES = `
  select distinct tn.nspname || '.' || t.relname as from, rn.nspname || '.' || r.relname as to
  from pg_catalog.pg_constraint k
  join pg_catalog.pg_class t on t.oid = k.conrelid
  join pg_catalog.pg_namespace tn on tn.oid = t.relnamespace
  join pg_catalog.pg_class r on r.oid = k.confrelid
  join pg_catalog.pg_namespace rn on rn.oid = r.relnamespace
  where k.contype = 'f' and k.conrelid <> k.confrelid
`;

const SEQUENCES = `
  select n.nspname as schema, c.relname as name, pg_catalog.pg_get_userbyid(c.relowner) as owner
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'S' and ${IS_OURS}
  order by 1, 2
`;

const FOREIGN_SCHEMAS = `
  select nspname as name from pg_catalog.pg_namespace
  where nspname !~ '^pg_' and nspname <> all ($1::text[]) order by 1
`;

function orderTables(tables: readonly DatabaseTable[], references: readonly Reference[]): DatabaseTable[] {
  const byName = new Map(tables.map((table) => [`${table.schema}.${table.name}`, table]));
  const ordered = new Set<DatabaseTable>();
  const underWay = new Set<string>();
  const visit = (name: string) => {
    const table = byName.get(name);
    if (table === undefined || ordered.has(table) || underWay.has(name)) return;
    underWay.add(name);
    for (const { from, to } of references) if (from === name) visit(to);
    ordered.add(table);
  };
  for (const name of byName.keys()) visit(name);
  return [...ordered];
}
