import { queryAsCaller } from '../../../kernel/database.ts';
import type { RunContext } from './run-plan.ts';

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

/** Asks Postgres, as the caller, what the caller may do. */
export async function readPrivileges(context: RunContext, schema: string): Promise<Privileges> {
  const { db, caller, request } = context;
  const { rows } = await queryAsCaller<{ privileges: string }>(
    db,
    caller,
    { text: READ_PRIVILEGES, values: [schema] },
    { request, readOnly: true },
  );
  return JSON.parse(rows[0]?.privileges ?? '') as Privileges;
}
