import { createHash } from 'node:crypto';
import pg from 'pg';
import { serialiseClaims } from '../../../../kernel/caller-context.ts';
import { type Database, queryAboutCallers, queryAsRealtimeAdmin } from '../../../../kernel/database.ts';
import { isDatabaseUnavailable } from '../../../../kernel/log-failure.ts';
import type { Viewer } from '../delivery/viewer.ts';
import type { ListMembers, PolicyList } from './policy-rule.ts';

/** The lists that policies compare a column with, by viewer: `column = any ((select private.own_category_ids())::uuid[])`. */
export type PolicyListCache = {
  /** What the viewer's list is known to be now; undefined: not known. */
  known(viewer: Viewer, list: PolicyList): ListMembers | undefined;
  /** Asks the database, for all viewers that wait in one query. Undefined where it refuses; rejects when it cannot be asked. */
  ask(viewer: Viewer, list: PolicyList): Promise<ListMembers | undefined>;
  /** The log has told of a change of this table: lists made from it may be others now. To be called with every change. */
  forget(tableOid: number): void;
  forgetAll(): void;
};

export type PolicyListCacheDeps = {
  readonly db: Database;
  /** What the feed reads: a list is kept only if every change of what it is made from is received. */
  readonly publications: readonly string[];
  readonly now: () => Date;
};

type Waiting = {
  readonly viewer: Viewer;
  readonly answer: Promise<ListMembers | undefined>;
  resolve(members: ListMembers | undefined): void;
  reject(error: unknown): void;
};
/** One function of one role. */
type Kept = {
  readonly list: PolicyList;
  /** Counts what may have changed the lists. */
  version: number;
  changedAt: number;
  /** When all lists began anew. */
  renewedAt: number;
  /** The tables that it reads, by oid; null: nobody has said so, and nothing is kept. */
  sources: ReadonlySet<number> | null;
  isRunning: boolean;
  readonly members: WeakMap<Viewer, { readonly version: number; readonly members: ListMembers }>;
  waiting: Map<Viewer, Waiting>;
};

/** The log may tell of a commit moments before queries see it: so soon after a change nothing is kept. */
const VISIBILITY_LAG_MS = 2_000;
/** The function itself may be replaced, and no table's change tells it. */
const KEPT_MS = 60_000;
const MAX_AT_ONCE = 500;
/** The lists of so many, asked for without end, leave the database half of the time to others. */
const MANY = 50;
const LONGEST_REST_MS = 250;

export function createPolicyListCache({ db, publications, now }: PolicyListCacheDeps): PolicyListCache {
  const byKey = new Map<string, Kept>();
  /** The same, without building a key for every row and listener. */
  const byList = new WeakMap<PolicyList, Map<string, Kept>>();

  function find({ caller: { role } }: Viewer, list: PolicyList): Kept {
    const known = byList.get(list)?.get(role);
    if (known) return known;
    const key = `${role} ${list.expression}`;
    const kept = byKey.get(key) ?? create(key, list);
    byList.set(list, (byList.get(list) ?? new Map<string, Kept>()).set(role, kept));
    return kept;
  }

  function create(key: string, list: PolicyList): Kept {
    const kept: Kept = {
      list,
      version: 0,
      changedAt: Number.NEGATIVE_INFINITY,
      renewedAt: now().getTime(),
      sources: null,
      isRunning: false,
      members: new WeakMap(),
      waiting: new Map(),
    };
    byKey.set(key, kept);
    void readSources(kept);
    return kept;
  }

  /** Not known, not kept. */
  async function readSources(kept: Kept): Promise<void> {
    kept.sources = null;
    const sources = await readListSources(db, kept.list, publications).catch(() => null);
    // A change that was received meanwhile may have been one of theirs.
    touch(kept, now().getTime());
    kept.sources = sources;
  }

  async function run(kept: Kept): Promise<void> {
    if (kept.isRunning) return;
    kept.isRunning = true;
    // What the feed brings in one go is asked in one go.
    await new Promise((resolve) => setImmediate(resolve));
    while (kept.waiting.size > 0) {
      const round = [...kept.waiting.values()].slice(0, MAX_AT_ONCE);
      for (const { viewer } of round) kept.waiting.delete(viewer);
      const startedAt = performance.now();
      await answer(kept, round);
      const rest = Math.min(performance.now() - startedAt, LONGEST_REST_MS);
      if (kept.waiting.size >= MANY) await new Promise((resolve) => setTimeout(resolve, rest));
    }
    kept.isRunning = false;
  }

  async function answer(kept: Kept, round: readonly Waiting[]): Promise<void> {
    const { version, sources } = kept;
    const isSettled = now().getTime() - kept.changedAt > VISIBILITY_LAG_MS;
    try {
      const lists = await readLists(
        db,
        kept.list,
        round.map(({ viewer }) => viewer),
      );
      round.forEach(({ viewer, resolve }, place) => {
        const members = lists.get(place + 1) ?? null;
        if (sources !== null && isSettled && kept.version === version)
          kept.members.set(viewer, { version, members });
        resolve(members);
      });
    } catch (error) {
      const isRefused = error instanceof pg.DatabaseError && !isDatabaseUnavailable(error);
      for (const { resolve, reject } of round) isRefused ? resolve(undefined) : reject(error);
    }
  }

  function touch(kept: Kept, at: number): void {
    kept.version += 1;
    kept.changedAt = at;
    kept.renewedAt = at;
  }

  return {
    known(viewer, list) {
      const kept = find(viewer, list);
      const found = kept.members.get(viewer);
      return found?.version === kept.version ? found.members : undefined;
    },
    ask(viewer, list) {
      const kept = find(viewer, list);
      const asked = kept.waiting.get(viewer);
      if (asked) return asked.answer;
      const { promise, resolve, reject } = Promise.withResolvers<ListMembers | undefined>();
      kept.waiting.set(viewer, { viewer, answer: promise, resolve, reject });
      void run(kept);
      return promise;
    },
    forget(tableOid) {
      const at = now().getTime();
      for (const kept of byKey.values()) {
        if (kept.sources?.has(tableOid)) touch(kept, at);
        if (at - kept.renewedAt < KEPT_MS) continue;
        kept.version += 1;
        kept.renewedAt = at;
      }
    },
    forgetAll() {
      const at = now().getTime();
      for (const kept of byKey.values()) {
        touch(kept, at);
        void readSources(kept);
      }
    },
  };
}

/** One list a viewer, by their places from 1 on; all viewers are of one role. Null where the function says null. */
async function readLists(
  db: Database,
  { expression }: PolicyList,
  viewers: readonly Viewer[],
): Promise<ReadonlyMap<number, ListMembers>> {
  const [first] = viewers;
  if (first === undefined) return new Map();
  // CASE fixes the order: the claims first, then what reads them.
  const text = `select place::integer as place,
  case when set_config('request.jwt.claims', claims, true) is not null then (${expression})::text[] end as members
from unnest($1::text[]) with ordinality as viewers(claims, place)`;
  const name = `realtime_set_${createHash('sha256').update(text).digest('hex').slice(0, 40)}`;
  const claims = viewers.map(({ caller }) => serialiseClaims(caller.claims));
  const { rows } = await queryAboutCallers<{ place: number; members: (string | null)[] | null }>(
    db,
    first.caller.role,
    {
      text,
      name,
      values: [claims],
    },
  );
  return new Map(rows.map(({ place, members }) => [place, members && new Set(members)]));
}

/** How a function says what its answer depends on, besides the caller's claims: a comment on it that begins with this. */
const DECLARATION = /^realtime: reads ([\w.]+(?:, [\w.]+)*)(?:\n|$)/;

/**
 * The tables that a policy's function declares to read, by oid.
 * @returns null when it declares nothing, or the log does not carry every change of one of them.
 */
async function readListSources(
  db: Database,
  { schema, name }: PolicyList,
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
