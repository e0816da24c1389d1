import { type Database, queryAsRealtimeAdmin } from '../../../../kernel/database.ts';
import type { CallerSet } from '../policies/policy-rule.ts';

/** How a function says what its answer depends on, besides the caller's claims: a comment on it that begins with this. */
const DECLARATION = /^realtime: reads ([\w.]+(?:, [\w.]+)*)(?:\n|$)/;

/**
 * The tables that a policy's function declares to read, by oid.
 * @returns null when it declares nothing, or the log does not carry every change of one of them.
 */
export async function readSetSources(
  db: Database,
  { schema, name }: CallerSet,
  publications: readonly string[],
): Promise<ReadonlySet<number> | null> {
  const comments = await queryAsRealtimeAdmin<{ comment: string | null }>(db, {
    text: `select obj_description(p.oid, 'pg_proc') as comment
from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
where n.nspname = $1 and p.proname = $2 and p.pronargs = 0`,
    values: [schema, name],
    name: 'realtime_set_comment',
  });
  const declared = DECLARATION.exec(comments.rows[0]?.comment ?? '')?.[1]?.split(', ');
  if (declared === undefined) return null;
  const { rows } = await queryAsRealtimeAdmin<{ oid: string }>(db, {
    text: `select distinct c.oid::text as oid
from pg_catalog.pg_publication p
join pg_catalog.pg_publication_rel r on r.prpubid = p.oid
join pg_catalog.pg_class c on c.oid = r.prrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where p.pubname = any ($1) and p.pubinsert and p.pubupdate and p.pubdelete and p.pubtruncate and r.prqual is null
  and n.nspname || '.' || c.relname = any ($2)`,
    values: [publications, declared],
    name: 'realtime_set_sources',
  });
  return rows.length === declared.length ? new Set(rows.map(({ oid }) => Number(oid))) : null;
}
