import type pg from 'pg';

/** A column, an argument or a field of an answer. `type` is Postgres' own name: `uuid`, `_text` for text[]. */
export type SchemaField = {
  readonly name: string;
  readonly type: string;
  readonly optional?: boolean;
  readonly nullable?: boolean;
};

export type SchemaColumn = {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly hasDefault: boolean;
};

export type SchemaRelationship = {
  readonly foreignKeyName: string;
  readonly columns: readonly string[];
  readonly isOneToOne: boolean;
  readonly referencedRelation: string;
  readonly referencedColumns: readonly string[];
};

export type SchemaTable = {
  readonly name: string;
  readonly columns: readonly SchemaColumn[];
  readonly relationships: readonly SchemaRelationship[];
};

export type SchemaFunction = {
  readonly name: string;
  readonly args: readonly SchemaField[];
  readonly returnsSet: boolean;
  /** The table whose rows come back, when it is one of ours. */
  readonly returnsTable: string | null;
  /** The fields of a `returns table (…)`; those that may be null are named in the function's comment. */
  readonly returnsFields: readonly SchemaField[];
  readonly returnsType: string;
};

export type Schema = {
  readonly tables: readonly SchemaTable[];
  readonly functions: readonly SchemaFunction[];
};

/** Reads what the table API exposes of `public` from the catalogues. */
export async function readSchema(client: pg.Client | pg.Pool): Promise<Schema> {
  const tables = await client.query<SchemaTable>(TABLES);
  const functions = await client.query<SchemaFunction>(FUNCTIONS);
  return { tables: tables.rows, functions: functions.rows };
}

const TABLES = `
  select c.relname as name,
    (select json_agg(json_build_object(
        'name', a.attname, 'type', t.typname, 'nullable', not a.attnotnull,
        'hasDefault', a.atthasdef or a.attidentity <> '') order by a.attname)
      from pg_attribute a join pg_type t on t.oid = a.atttypid
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    (select coalesce(json_agg(json_build_object(
        'foreignKeyName', k.conname,
        'columns', (select json_agg(a.attname order by o) from unnest(k.conkey) with ordinality as u(n, o)
          join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.n),
        'isOneToOne', exists (select from pg_constraint q
          where q.conrelid = k.conrelid and q.contype in ('p', 'u') and q.conkey <@ k.conkey),
        'referencedRelation', f.relname,
        'referencedColumns', (select json_agg(a.attname order by o) from unnest(k.confkey) with ordinality as u(n, o)
          join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.n)) order by k.conname), '[]')
      from pg_constraint k join pg_class f on f.oid = k.confrelid
      where k.conrelid = c.oid and k.contype = 'f' and f.relnamespace = c.relnamespace) as relationships
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
  order by c.relname`;

const FUNCTIONS = `
  select p.proname as name, p.proretset as "returnsSet", rt.typname as "returnsType",
    (select r.relname from pg_class r where r.oid = rt.typrelid and r.relnamespace = 'public'::regnamespace)
      as "returnsTable",
    (select coalesce(json_agg(json_build_object('name', p.proargnames[n], 'type', t.typname,
        'optional', n > p.pronargs - p.pronargdefaults) order by p.proargnames[n]), '[]')
      from generate_series(1, p.pronargs) n join pg_type t on t.oid = p.proargtypes[n - 1]) as args,
    (select coalesce(json_agg(json_build_object('name', p.proargnames[n], 'type', t.typname,
        'nullable', p.proargnames[n] = any (regexp_split_to_array(coalesce(
          substring(obj_description(p.oid, 'pg_proc') from 'Nullable: ([^.]*)'), ''), ', ')))
        order by p.proargnames[n]), '[]')
      from generate_series(1, coalesce(cardinality(p.proallargtypes), 0)) n join pg_type t on t.oid = p.proallargtypes[n]
      where p.proargmodes[n] = 't') as "returnsFields"
  from pg_proc p join pg_type rt on rt.oid = p.prorettype
  where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and rt.typname not in ('trigger', 'event_trigger')
  order by p.proname`;
