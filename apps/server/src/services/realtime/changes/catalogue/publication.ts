import type { Caller, CallerRole } from '../../../../kernel/caller-context.ts';
import { asServiceRole, type Database, queryAsCaller } from '../../../../kernel/database.ts';

/** The publication that tables are added to so that clients receive their changes: the hosted platform's name. */
const PUBLICATION = 'supabase_realtime';

/** Never told to a client, whatever was published: what the platform and the product keep to themselves. */
const CLOSED_SCHEMAS = ['auth', 'realtime', 'private', 'vault', 'information_schema'];

/**
 * All published tables with columns, rights and policies, as one JSON text. With an empty search path Postgres writes every
 * name in a policy in full, so that it means the same wherever it is read.
 */
const READ_PUBLICATION = `
with published as (
  select c.oid, c.relname, c.relowner, c.relrowsecurity, c.relforcerowsecurity, n.oid as schema_oid, n.nspname
  from pg_catalog.pg_publication_tables p
  join pg_catalog.pg_namespace n on n.nspname = p.schemaname
  join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = p.tablename
  where p.pubname = $1 and n.nspname <> all ($2) and n.nspname not like 'pg\\_%'
), caller as (
  select r.oid, r.rolname, r.rolsuper or r.rolbypassrls as bypasses
  from pg_catalog.pg_roles r where r.rolname in ('anon', 'authenticated', 'service_role')
), attribute as (
  select a.* from pg_catalog.pg_attribute a join published t on t.oid = a.attrelid
  where a.attnum > 0 and not a.attisdropped
), policy as (
  select p.polrelid, p.polpermissive, c.rolname, p.polname, pg_catalog.pg_get_expr(p.polqual, p.polrelid) as expression
  from pg_catalog.pg_policy p
  join published t on t.oid = p.polrelid
  cross join caller c
  where p.polcmd in ('r', '*') and p.polqual is not null and exists (
    select from pg_catalog.unnest(p.polroles) as granted(oid)
    where case when granted.oid = 0 then true else pg_catalog.pg_has_role(c.oid, granted.oid, 'usage') end
  )
)
select coalesce(json_agg(json_build_object(
  'oid', t.oid::bigint, 'schema', t.nspname, 'name', t.relname,
  'columns', (
    select coalesce(json_agg(json_build_object(
      'name', a.attname, 'typeName', y.typname, 'baseOid', base.oid::bigint,
      'sqlType', pg_catalog.format_type(a.atttypid, -1), 'isEnum', base.typtype = 'e',
      'elementOid', case when base.typcategory = 'A' then base.typelem::bigint end,
      'delimiter', base.typdelim,
      'isDeterministic', coalesce((select o.collisdeterministic from pg_catalog.pg_collation o where o.oid = a.attcollation), true)
    ) order by a.attnum), '[]')
    from attribute a
    join pg_catalog.pg_type y on y.oid = a.atttypid
    join pg_catalog.pg_type base on base.oid = coalesce(nullif(y.typbasetype, 0), y.oid)
    where a.attrelid = t.oid
  ),
  'primaryKey', coalesce((
    select json_agg(a.attname order by a.attnum)
    from pg_catalog.pg_index i join attribute a on a.attrelid = t.oid and a.attnum = any (i.indkey)
    where i.indrelid = t.oid and i.indisprimary
  ), '[]'),
  'policyColumns', coalesce((
    select json_agg(distinct a.attname)
    from pg_catalog.pg_policy p
    join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_policy'::pg_catalog.regclass and d.objid = p.oid
      and d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.refobjid = t.oid
    join attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
    where p.polrelid = t.oid
  ), '[]'),
  'roles', (
    select json_object_agg(c.rolname, json_build_object(
      'hasUsage', pg_catalog.has_schema_privilege(c.oid, t.schema_oid, 'usage'),
      'selectable', coalesce((
        select json_agg(a.attname order by a.attnum) from attribute a
        where a.attrelid = t.oid and pg_catalog.has_column_privilege(c.oid, t.oid, a.attnum, 'select')
      ), '[]'),
      'isFiltered', t.relrowsecurity and not c.bypasses
        and (t.relforcerowsecurity or not pg_catalog.pg_has_role(c.oid, t.relowner, 'usage')),
      'permissive', coalesce((
        select json_agg(p.expression order by p.polname) from policy p
        where p.polrelid = t.oid and p.rolname = c.rolname and p.polpermissive
      ), '[]'),
      'restrictive', coalesce((
        select json_agg(p.expression order by p.polname) from policy p
        where p.polrelid = t.oid and p.rolname = c.rolname and not p.polpermissive
      ), '[]')
    )) from caller c
  )
) order by t.oid), '[]')::text as tables
from published t`;

/** @returns JSON: a list of PublishedTable. @throws what the database threw. */
export function readPublication(db: Database): Promise<string> {
  return asServiceRole(db, 'who may see which published row', async (tx) => {
    await tx.query({ name: 'realtime_no_path', text: `select set_config('search_path', '', true)` });
    const { rows } = await tx.query<{ tables: string }>({
      name: 'realtime_publication',
      text: READ_PUBLICATION,
      values: [PUBLICATION, CLOSED_SCHEMAS],
    });
    return rows[0]?.tables ?? '[]';
  });
}

/** The catalogues are open to everybody. */
const ANYBODY: Caller = { role: 'anon', claims: { role: 'anon' } };

/**
 * A text that is another one as soon as anything that `readPublication` reads has changed. A changed catalogue row carries the
 * number of the transaction that wrote it, which is larger than all before; so sums tell, and cost a millisecond.
 */
const READ_VERSION = `
select concat_ws(' ',
  (select concat(count(*), ':', sum(xmin::text::bigint)) from pg_catalog.pg_class where oid >= 16384 and relkind in ('r', 'p')),
  (select concat(count(*), ':', sum(xmin::text::bigint)) from pg_catalog.pg_attribute where attrelid >= 16384 and attnum > 0),
  (select concat(count(*), ':', sum(xmin::text::bigint)) from pg_catalog.pg_index where indrelid >= 16384 and indisprimary),
  (select concat(count(*), ':', sum(xmin::text::bigint)) from pg_catalog.pg_type where oid >= 16384),
  (select concat(count(*), ':', sum(xmin::text::bigint)) from pg_catalog.pg_policy),
  (select concat(count(*), ':', sum(xmin::text::bigint)) from pg_catalog.pg_namespace),
  (select concat(count(*), ':', sum(xmin::text::bigint)) from pg_catalog.pg_publication),
  (select concat(count(*), ':', sum(xmin::text::bigint)) from pg_catalog.pg_publication_rel),
  (select concat(count(*), ':', sum(xmin::text::bigint)) from pg_catalog.pg_publication_namespace),
  (select concat(count(*), ':', sum(xmin::text::bigint)) from pg_catalog.pg_auth_members),
  (select string_agg(concat(oid, ':', rolname, ':', rolsuper, ':', rolbypassrls), ' ' order by oid) from pg_catalog.pg_roles
    where rolname in ('anon', 'authenticated', 'service_role'))
) as version`;

/** @throws what the database threw. */
export async function readPublicationVersion(db: Database): Promise<string> {
  const { rows } = await queryAsCaller<{ version: string }>(
    db,
    ANYBODY,
    { name: 'realtime_publication_version', text: READ_VERSION },
    { readOnly: true },
  );
  return rows[0]?.version ?? '';
}

/** A column as the catalogue describes it. Types by oid and by name; `base` is the type below a domain, else the type itself. */
export type PublishedColumn = {
  readonly name: string;
  readonly typeName: string;
  readonly baseOid: number;
  /** The type in SQL, qualified, without modifiers: `character varying`, `public.mood`. */
  readonly sqlType: string;
  readonly isEnum: boolean;
  /** What an array's elements are; null for anything else. */
  readonly elementOid: number | null;
  readonly delimiter: string;
  /** Equal as text is equal: false for a collation that says otherwise. */
  readonly isDeterministic: boolean;
};

/** What a role may read of a table. */
export type RoleRights = {
  readonly hasUsage: boolean;
  readonly selectable: readonly string[];
  /** Whether row-level security sorts out rows for this role. */
  readonly isFiltered: boolean;
  /** The policies for SELECT that apply to the role, as SQL. */
  readonly permissive: readonly string[];
  readonly restrictive: readonly string[];
};

export type PublishedTable = {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly PublishedColumn[];
  readonly primaryKey: readonly string[];
  /** The columns that policies of the table read. */
  readonly policyColumns: readonly string[];
  readonly roles: Readonly<Record<CallerRole, RoleRights>>;
};

/** What is published at one time. Another object only where something has changed. */
export type Publication = {
  readonly tables: readonly PublishedTable[];
  readonly byOid: ReadonlyMap<number, PublishedTable>;
};
