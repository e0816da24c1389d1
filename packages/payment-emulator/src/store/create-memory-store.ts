import type { EmulatorStore, StoredRow, StoreQuery, StoreTransaction } from './emulator-store.ts';

type StoredEntry = { readonly row: StoredRow; readonly sequence: number };

/** Keeps everything in this process, for tests. What JSON cannot hold does not survive here either. */
export function createMemoryStore(): EmulatorStore {
  const stored = new Map<string, StoredEntry>();
  let sequence = 0;
  let turn: Promise<unknown> = Promise.resolve();

  function open(changes: Map<string, StoredEntry | null>): StoreTransaction {
    const lookUp = (id: string) => {
      const changed = changes.get(id);
      return changed === undefined ? stored.get(id) : (changed ?? undefined);
    };
    const all = () => [...new Set([...stored.keys(), ...changes.keys()])].flatMap((id) => lookUp(id) ?? []);
    return {
      find: async (id) => copy(lookUp(id)?.row),
      list: async (query) => {
        const after = lookUp(query.startingAfter ?? '')?.sequence ?? Number.POSITIVE_INFINITY;
        return all()
          .filter(({ row, sequence: at }) => at < after && matches(row, query))
          .sort((one, other) => other.sequence - one.sequence)
          .slice(0, query.limit)
          .map(({ row }) => structuredClone(row));
      },
      listDue: async (kind, at, limit) =>
        all()
          .filter(({ row }) => row.kind === kind && row.dueAt !== null && row.dueAt <= at)
          .sort(
            (one, other) => (one.row.dueAt ?? 0) - (other.row.dueAt ?? 0) || one.sequence - other.sequence,
          )
          .slice(0, limit)
          .map(({ row }) => structuredClone(row)),
      findNextDue: async (kinds) => {
        const moments = all().flatMap(({ row }) =>
          kinds.includes(row.kind) && row.dueAt !== null ? [row.dueAt] : [],
        );
        return moments.length === 0 ? null : Math.min(...moments);
      },
      save: async (rows) => {
        for (const row of rows) {
          const known = lookUp(row.id);
          if (known === undefined) sequence += 1;
          changes.set(row.id, {
            row: JSON.parse(JSON.stringify(row)),
            sequence: known?.sequence ?? sequence,
          });
        }
      },
      remove: async (ids) => {
        for (const id of ids) changes.set(id, null);
      },
    };
  }

  return {
    change(run) {
      const result = turn.then(async () => {
        const changes = new Map<string, StoredEntry | null>();
        const answer = await run(open(changes));
        for (const [id, change] of changes) {
          if (change === null) stored.delete(id);
          else stored.set(id, change);
        }
        return answer;
      });
      turn = result.catch(() => undefined);
      return result;
    },
    read: (run) => run(open(new Map())),
  };
}

function copy(row: StoredRow | undefined): StoredRow | undefined {
  return row === undefined ? undefined : structuredClone(row);
}

function matches(row: StoredRow, { kind, match = {}, createdFrom }: StoreQuery): boolean {
  if (row.kind !== kind) return false;
  if (createdFrom !== undefined && Number(row.data['created'] ?? 0) < createdFrom) return false;
  return contains(row.data, match);
}

/** As Postgres' `@>` for the plain values and objects that are asked for here. */
function contains(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(wanted).every(([name, part]) =>
    contains((value as Record<string, unknown>)[name], part),
  );
}
