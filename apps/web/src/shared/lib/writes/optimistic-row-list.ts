import type { QueryClient } from '@tanstack/react-query';
import { type DatedRow, insertNewestFirst, patchRow } from '../newest-first.ts';
import { beginOptimisticWrite, type OptimisticWrite, type Undo } from './optimistic-write.ts';
import type { RowWrite } from './pending-writes.ts';

/** Changes of one cached list of rows, each shown before the server has answered. */
export interface OptimisticRowList<Row extends DatedRow> {
  readonly find: (id: string) => Row | undefined;
  readonly filter: (wanted: (row: Row) => boolean) => readonly Row[];
  readonly beginAdd: (row: Row) => Promise<OptimisticWrite>;
  readonly beginPatch: (id: string, patch: Partial<Row>) => Promise<OptimisticWrite>;
  readonly beginDrop: (doomed: (row: Row) => boolean) => Promise<OptimisticWrite>;
  /** Puts what the server stored in place of what was shown ahead; does nothing when the row is gone meanwhile. */
  readonly store: (id: string, stored: Partial<Row>) => void;
}

/**
 * Edits the list cached under `queryKey`, newest first. Without cached data there is nothing to edit.
 * @param queryKey begins with the name of the table.
 */
export function optimisticRowList<Row extends DatedRow>(
  queryClient: QueryClient,
  queryKey: readonly [table: string, ...rest: unknown[]],
): OptimisticRowList<Row> {
  type Rows = readonly Row[];
  const read = (): Rows => queryClient.getQueryData<Rows>(queryKey) ?? [];
  const edit = (change: (rows: Rows) => Rows) => {
    queryClient.setQueryData<Rows>(queryKey, (rows) => (rows === undefined ? rows : change(rows)));
  };
  const [table] = queryKey;
  const begin = (kind: RowWrite['kind'], ids: readonly string[], change: () => Undo) =>
    beginOptimisticWrite(queryClient, [queryKey], change, { table, kind, ids });
  const drop = (doomed: (row: Row) => boolean) => edit((rows) => rows.filter((row) => !doomed(row)));
  const patchEach = (patch: (row: Row) => Partial<Row>) => {
    const undone = read().flatMap((row) => {
      const changed = patch(row);
      return Object.keys(changed).length === 0 ? [] : [{ id: row.id, was: pickSame(row, changed), changed }];
    });
    edit((rows) => undone.reduce<Rows>((list, { id, changed }) => patchRow(list, id, changed), rows));
    return () => edit((rows) => undone.reduce<Rows>((list, { id, was }) => patchRow(list, id, was), rows));
  };

  return {
    find: (id) => read().find((row) => row.id === id),
    filter: (wanted) => read().filter(wanted),
    beginAdd: (row) =>
      begin('add', [row.id], () => {
        const before = read().find(({ id }) => id === row.id);
        edit((rows) => insertNewestFirst(rows, row));
        return () =>
          before ? edit((rows) => insertNewestFirst(rows, before)) : drop(({ id }) => id === row.id);
      }),
    beginPatch: (id, patch) => begin('change', [id], () => patchEach((row) => (row.id === id ? patch : {}))),
    beginDrop: (doomed) => {
      const ids = read()
        .filter(doomed)
        .map(({ id }) => id);
      return begin('drop', ids, () => {
        const dropped = read().filter(doomed);
        drop(doomed);
        return () => edit((rows) => dropped.reduce<Rows>((list, row) => insertNewestFirst(list, row), rows));
      });
    },
    store: (id, stored) => edit((rows) => patchRow(rows, id, stored)),
  };
}

/** The fields of `row` that `changed` names, as they are. */
function pickSame<Row extends object>(row: Row, changed: Partial<Row>): Partial<Row> {
  const keys = Object.keys(changed) as (keyof Row)[];
  return Object.fromEntries(keys.map((key) => [key, row[key]])) as unknown as Partial<Row>;
}
