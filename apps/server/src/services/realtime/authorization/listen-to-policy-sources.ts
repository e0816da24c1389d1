import type { Logger } from 'pino';
import { type Database, queryAsRealtimeAdmin } from '../../../kernel/database.ts';
import type { ChangeFeed, FeedTable, RowText } from '../feed/change-feed.ts';

export type PolicySourcesDeps = {
  readonly feed: Pick<ChangeFeed, 'listen'>;
  readonly db: Database;
  /** What the feed reads. */
  readonly publications: readonly string[];
  readonly logger: Pick<Logger, 'warn'>;
  readonly now: () => Date;
};

/** The values of the rows that have changed, in Postgres' text form; null: nobody knows which have. */
export type ChangedValues = ReadonlySet<string> | null;

/** What policies are made of changes with migrations alone, and no table's change tells of it. */
const KNOWN_MS = 60_000;

/**
 * Follows the tables that policies on `realtime.messages` are made from. Their functions say which those are, by a comment that begins with
 * `realtime: reads` (see policy-list-cache.ts); of one that says nothing no change is told.
 * @param onChange once a transaction that has changed rows of such a table, with all that stood or stands in them: whom they name is
 *   whose rights may be others now. Must not throw.
 * @returns the way to stop.
 */
export function listenToPolicySources(
  deps: PolicySourcesDeps,
  onChange: (values: ChangedValues) => void,
): () => void {
  const { feed, logger, now } = deps;
  /** Undefined before it is known: until then every table may be one. */
  let sources: ReadonlySet<number> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let isReading = false;
  let values = new Set<string>();

  async function read(): Promise<void> {
    if (isReading) return;
    isReading = true;
    const startedAt = now().getTime();
    try {
      sources = await readSources(deps);
      readAt = startedAt;
    } catch (err) {
      logger.warn({ err }, 'what the policies of private channels read could not be asked for');
    }
    isReading = false;
  }

  const isSource = ({ oid }: FeedTable): boolean => {
    if (Math.abs(now().getTime() - readAt) > KNOWN_MS) void read();
    return sources === undefined || sources.has(oid);
  };
  const note = (row: RowText | null) => {
    for (const value of row ?? []) if (typeof value === 'string' && value !== '') values.add(value);
  };

  return feed.listen({
    change({ table, row, oldRow }) {
      if (!isSource(table)) return;
      note(row);
      note(oldRow);
    },
    commit() {
      if (values.size === 0) return;
      const changed = values;
      values = new Set();
      onChange(changed);
    },
    gap() {
      values = new Set();
      readAt = Number.NEGATIVE_INFINITY;
      onChange(null);
    },
  });
}

/** By oid, as far as the log tells of every change of them. */
async function readSources({
  db,
  publications,
}: Pick<PolicySourcesDeps, 'db' | 'publications'>): Promise<ReadonlySet<number>> {
  const { rows } = await queryAsRealtimeAdmin<{ oid: string }>(db, {
    text: `with declared as (
  select distinct unnest(string_to_array(split_part(substr(obj_description(d.refobjid, 'pg_proc'), 17), E'\\n', 1), ', ')) as name
  from pg_catalog.pg_policy p
  join pg_catalog.pg_depend d on d.classid = 'pg_policy'::regclass and d.objid = p.oid and d.refclassid = 'pg_proc'::regclass
  where p.polrelid = 'realtime.messages'::regclass and obj_description(d.refobjid, 'pg_proc') like 'realtime: reads %'
)
select distinct c.oid::text as oid
from declared
join pg_catalog.pg_class c on true
join pg_catalog.pg_namespace n on n.oid = c.relnamespace and n.nspname || '.' || c.relname = declared.name
join pg_catalog.pg_publication_rel r on r.prrelid = c.oid
join pg_catalog.pg_publication b on b.oid = r.prpubid
where b.pubname = any ($1)`,
    values: [publications],
    name: 'realtime_policy_sources',
  });
  return new Set(rows.map(({ oid }) => Number(oid)));
}
