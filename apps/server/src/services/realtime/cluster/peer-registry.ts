import type { Row, Rows, Statement } from '../../../kernel/database.ts';

/** What another copy is to this one. */
export type PeerState = 'new' | 'known' | 'gone';

/** Which other copies are there: those that have sent something, as long as the database sees their sessions. */
export type PeerRegistry = {
  /** A message of that copy has come. */
  recordMessage(copyId: string): PeerState;
  /** It has said good-bye. @returns whether it was known. */
  leave(copyId: string): boolean;
  /** @returns who has gone, and who is there but has never sent anything. */
  update(seen: readonly SeenPeer[]): { readonly left: string[]; readonly unregistered: string[] };
  /** Our own session is new: the others' may be on their way as well. */
  startGrace(): void;
  list(): string[];
};

/** A session that is lost comes back at once when its copy lives. */
const ABSENT_MS = 1_500;
/** After a fault that has hit everybody. */
const GRACE_MS = 3_000;
/** A copy asks every five seconds at least: one that has not for so long is stuck. */
const STUCK_MS = 15_000;

export function createPeerRegistry(ownId: string, now: () => Date): PeerRegistry {
  /** Since when each was not seen. */
  const absentSince = new Map<string, number | null>();
  /** Their last messages may still be on the way. */
  const gone = new Set<string>();
  let graceFrom = Number.NEGATIVE_INFINITY;

  function remove(copyId: string): boolean {
    gone.add(copyId);
    return absentSince.delete(copyId);
  }

  return {
    recordMessage(copyId) {
      if (gone.has(copyId)) return 'gone';
      if (absentSince.has(copyId)) return 'known';
      absentSince.set(copyId, null);
      return 'new';
    },
    leave: remove,
    update(seen) {
      const time = now().getTime();
      const alive = new Set(seen.filter(({ idleMs }) => idleMs < STUCK_MS).map(({ copyId }) => copyId));
      alive.delete(ownId);
      // One that was only stuck, or out of reach, is registered anew when it sends something.
      for (const copyId of alive) gone.delete(copyId);
      const left = [...absentSince].flatMap(([copyId, since]) => {
        absentSince.set(copyId, alive.has(copyId) ? null : (since ?? time));
        return isAbsent(since, time) && !alive.has(copyId) ? [copyId] : [];
      });
      for (const copyId of left) remove(copyId);
      return { left, unregistered: [...alive].filter((copyId) => !absentSince.has(copyId)) };
    },
    startGrace() {
      if (absentSince.size > 0) graceFrom = now().getTime();
      for (const copyId of absentSince.keys()) absentSince.set(copyId, null);
    },
    list: () => [...absentSince.keys()],
  };

  function isAbsent(since: number | null, time: number): boolean {
    // A clock that was set back keeps nobody who has gone.
    return since !== null && Math.abs(time - graceFrom) >= GRACE_MS && Math.abs(time - since) >= ABSENT_MS;
  }
}

/** A session's name has room for it: Postgres keeps 63 bytes. */
const SESSION_NAME = 'linkoteca copy ';

export const sessionNameOf = (copyId: string): string => SESSION_NAME + copyId;

/** A copy's session as `pg_stat_activity` shows it. */
export type SeenPeer = { readonly copyId: string; readonly idleMs: number };

type SeenRow = { readonly name: string; readonly idle_ms: number };

/** The copies whose sessions the database holds open, this one included. A session ends with its process, however that ends. */
export async function listSeenPeers(
  query: <T extends Row>(statement: Statement) => Promise<Rows<T>>,
): Promise<readonly SeenPeer[]> {
  const { rows } = await query<SeenRow>({
    name: 'copies_seen',
    text: `select application_name as name,
        coalesce(extract(epoch from clock_timestamp() - greatest(state_change, query_start)) * 1000, 0)::float8 as idle_ms
      from pg_stat_activity
      where datname = current_database() and application_name like $1`,
    values: [`${SESSION_NAME}%`],
  });
  return rows.map(({ name, idle_ms }) => ({ copyId: name.slice(SESSION_NAME.length), idleMs: idle_ms }));
}
