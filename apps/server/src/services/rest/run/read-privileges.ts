import type { RestSettings } from '../settings/rest-settings.ts';
import { type RunContext, runStatement } from './run-statement.ts';

/** What the caller may do in a schema: relation names by the right held, and the names of functions. */
export type Privileges = {
  readonly select: readonly string[];
  readonly insert: readonly string[];
  readonly update: readonly string[];
  readonly delete: readonly string[];
  readonly functions: readonly string[];
};

const READ_PRIVILEGES = `
select json_build_object(
  'select', coalesce(json_agg(c.relname) filter (where has_any_column_privilege(c.oid, 'select')), '[]'),
  'insert', coalesce(json_agg(c.relname) filter (where has_any_column_privilege(c.oid, 'insert')), '[]'),
  'update', coalesce(json_agg(c.relname) filter (where has_any_column_privilege(c.oid, 'update')), '[]'),
  'delete', coalesce(json_agg(c.relname) filter (where has_table_privilege(c.oid, 'delete')), '[]'),
  'functions', (
    select coalesce(json_agg(distinct p.proname), '[]')
    from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    where n.nspname = $1 and has_function_privilege(p.oid, 'execute')
  )
)::text as privileges
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where n.nspname = $1 and c.relkind in ('r', 'p', 'v', 'm', 'f')`;

const ALL_PRIVILEGES = `
select json_build_object(
  'select', names, 'insert', names, 'update', names, 'delete', names,
  'functions', (
    select coalesce(json_agg(distinct p.proname), '[]')
    from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    where n.nspname = $1
  )
)::text as privileges
from (
  select coalesce(json_agg(c.relname), '[]') as names
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relkind in ('r', 'p', 'v', 'm', 'f')
) all_relations`;

/** Asks Postgres, as the caller, what the caller may do; or what there is, where the settings let everybody know. */
export async function readPrivileges(
  context: RunContext,
  schema: string,
  mode: RestSettings['openApiMode'],
): Promise<Privileges> {
  const text = mode === 'ignore-privileges' ? ALL_PRIVILEGES : READ_PRIVILEGES;
  const { rows } = await runStatement<{ privileges: string }>(
    context,
    { text, values: [schema] },
    { readOnly: true },
  );
  return JSON.parse(rows[0]?.privileges ?? '') as Privileges;
}
