import type { QueryClient } from '@tanstack/react-query';

/** What this tab does to rows of one table. */
export interface OwnWrite {
  readonly table: string;
  readonly kind: 'add' | 'change' | 'drop';
  readonly ids: readonly string[];
}

/** A write on its way. */
interface OwnWriteUnderWay {
  /** The service refused it. */
  readonly undo: () => void;
  /** The service has answered, whatever it said. */
  readonly settle: () => void;
}

/** What this tab has written: the change feed brings each of it back, and that must neither count twice nor be news. */
export interface OwnWrites {
  readonly begin: (write: OwnWrite) => OwnWriteUnderWay;
  /** While a write of this row is on its way, what is heard of it from outside has to wait. */
  readonly isUnderWay: (table: string, id: string) => boolean;
  /** True when the last thing this tab did to the row was to drop it. */
  readonly isDropped: (table: string, id: string) => boolean;
  /** True when this tab has made the row, or brought it back, in the last minutes. */
  readonly isAdded: (table: string, id: string) => boolean;
  /** True once for each such write of this row: a feed brings each back once. */
  readonly takeEcho: (table: string, kind: OwnWrite['kind'], id: string) => boolean;
  /** What was written so far will not come back: nobody was listening. */
  readonly forgetEchoes: () => void;
  /** @param listener called when a write has settled; `stored` tells whether the service accepted it. */
  readonly onSettled: (listener: (write: OwnWrite, stored: boolean) => void) => () => void;
}

interface Note {
  readonly last: OwnWrite['kind'];
  readonly added: boolean;
  readonly echoes: Record<OwnWrite['kind'], number>;
  underWay: number;
  readonly at: number;
}

/** Longer than undoing is possible (decision 0017), and than a feed may lag. Milliseconds. */
const KEPT_MS = 360_000;

const writesOfClients = new WeakMap<QueryClient, OwnWrites>();

/** The notes that belong to a query cache: they live as long as what is shown. */
export function ownWritesOf(queryClient: QueryClient): OwnWrites {
  const known = writesOfClients.get(queryClient);
  if (known) return known;
  const writes = createOwnWrites(Date.now);
  writesOfClients.set(queryClient, writes);
  return writes;
}

/** @param now milliseconds of any clock. */
export function createOwnWrites(now: () => number): OwnWrites {
  const notes = new Map<string, Note>();
  const listeners = new Set<(write: OwnWrite, stored: boolean) => void>();
  const find = (table: string, id: string) => notes.get(`${table} ${id}`);

  const note = ({ table, kind, ids }: OwnWrite) => {
    for (const id of ids) {
      const before = find(table, id);
      const echoes = before?.echoes ?? { add: 0, change: 0, drop: 0 };
      // Put back at the end, so that the oldest stand first.
      notes.delete(`${table} ${id}`);
      notes.set(`${table} ${id}`, {
        last: kind,
        added: kind === 'add' || (kind === 'change' && before?.added === true),
        echoes: { ...echoes, [kind]: echoes[kind] + 1 },
        underWay: (before?.underWay ?? 0) + 1,
        at: now(),
      });
    }
  };
  const forgetOld = () => {
    for (const [key, { at, underWay }] of notes) {
      if (now() - at < KEPT_MS) return;
      if (underWay === 0) notes.delete(key);
    }
  };
  const takeBack = ({ table, kind, ids }: OwnWrite) => {
    for (const id of ids) {
      const entry = find(table, id);
      // What was refused may have been stored all the same, its answer lost: then it is news when it comes.
      if (entry?.underWay === 1) notes.delete(`${table} ${id}`);
      else if (entry && entry.echoes[kind] > 0) entry.echoes[kind] -= 1;
    }
  };

  return {
    begin: (write) => {
      forgetOld();
      note(write);
      let stored = true;
      let settled = false;
      return {
        undo: () => {
          if (stored) takeBack(write);
          stored = false;
        },
        settle: () => {
          if (settled) return;
          settled = true;
          for (const id of write.ids) {
            const entry = find(write.table, id);
            if (entry) entry.underWay -= 1;
          }
          for (const listener of listeners) listener(write, stored);
        },
      };
    },
    isUnderWay: (table, id) => (find(table, id)?.underWay ?? 0) > 0,
    isDropped: (table, id) => find(table, id)?.last === 'drop',
    isAdded: (table, id) => find(table, id)?.added === true,
    takeEcho: (table, kind, id) => {
      const echoes = find(table, id)?.echoes;
      if (echoes === undefined || echoes[kind] === 0) return false;
      echoes[kind] -= 1;
      return true;
    },
    forgetEchoes: () => {
      for (const { echoes, underWay } of notes.values())
        if (underWay === 0) Object.assign(echoes, { add: 0, change: 0, drop: 0 });
    },
    onSettled: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
