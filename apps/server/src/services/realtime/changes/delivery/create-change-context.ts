import type { RowChange, RowText } from '../../feed/change-feed.ts';
import type { RowAccess } from '../access/create-row-access.ts';
import type { RowChecks } from '../access/create-row-checks.ts';
import type { BoundTable } from '../catalogue/bound-table.ts';
import type { RowFilter } from '../requests/prepare-filter.ts';
import { buildChangeData, type ChangeView } from './build-change-data.ts';
import type { Viewer } from './viewer.ts';

export type Answer = boolean | Promise<boolean>;

/** One change and what is known of it: every question about it is answered once, however many listen. */
export type ChangeContext = {
  readonly table: BoundTable;
  readonly change: RowChange;
  /** The row that filters and policies look at: the new one, of a deletion the old one. */
  readonly row: RowText;
  /** Whether row-level security shows the viewer the row. */
  sees(viewer: Viewer): Answer;
  /** Whether it showed them the old row of an update. */
  sawOld(viewer: Viewer): Answer;
  /** Whether the row meets the filters. */
  meets(filters: readonly RowFilter[], viewer: Viewer): Answer;
  /** @param key names the view: the same key, the same text. */
  data(key: string, view: () => ChangeView): string;
};

export type ChangeContextDeps = { readonly access: RowAccess; readonly checks: RowChecks };

/** @returns undefined for a deletion of which nothing is told but that there was one. */
export function createChangeContext(
  { access, checks }: ChangeContextDeps,
  table: BoundTable,
  received: RowChange,
): ChangeContext | undefined {
  const oldRow = received.oldRow && readSent(table, received.oldRow);
  const change = { ...received, oldRow };
  const row = change.row ?? oldRow;
  if (row === null) return undefined;
  const seen = new Map<Viewer, Answer>();
  const seenOld = new Map<Viewer, Answer>();
  const met = new Map<RowFilter, Promise<boolean>>();
  const texts = new Map<string, string>();

  function sees(viewer: Viewer): Answer {
    const known = seen.get(viewer);
    if (known !== undefined) return known;
    const answer = access.sees(table, viewer, row as RowText, change.row !== null);
    seen.set(viewer, answer);
    return answer;
  }

  return {
    table,
    change,
    row,
    sees,
    sawOld(viewer) {
      const known = seenOld.get(viewer);
      if (known !== undefined) return known;
      const answer =
        oldRow === null || isAlike(table, viewer, row, oldRow)
          ? sees(viewer)
          : access.sees(table, viewer, oldRow, false);
      seenOld.set(viewer, answer);
      return answer;
    },
    meets(filters, viewer) {
      const open: Promise<boolean>[] = [];
      for (const filter of filters) {
        const value = table.valueOf(row, filter.column);
        const verdict = value === undefined ? false : filter.test(value);
        if (verdict === false || verdict === null) return false;
        if (verdict === undefined) open.push(askFilter(filter, viewer));
      }
      return open.length === 0 || Promise.all(open).then((answers) => !answers.includes(false));
    },
    data(key, view) {
      const text = texts.get(key) ?? buildChangeData(table, change, view());
      texts.set(key, text);
      return text;
    },
  };

  /** A filter is prepared once for all who use it, and what it compares does not depend on who asks. */
  function askFilter(filter: RowFilter, { caller }: Viewer): Promise<boolean> {
    const { check, values } = filter;
    const asked =
      met.get(filter) ??
      checks.ask({ table, caller, check, values, row: row as RowText }).then((answer) => answer === true);
    met.set(filter, asked);
    return asked;
  }
}

/** With another identity than the whole row, only its columns were sent: the others are unknown, not null. */
function readSent(table: BoundTable, row: RowText): RowText {
  if (table.identity === 'f') return row;
  const keys = new Set(table.columns.filter(({ isKey }) => isKey).map(({ position }) => position));
  return row.map((value, position) => (keys.has(position) ? value : undefined));
}

/** Whether the viewer's policies read nothing that the update changed. */
function isAlike(table: BoundTable, { caller }: Viewer, row: RowText, oldRow: RowText): boolean {
  const { columns } = table.roleOf(caller.role).rule;
  return (
    columns?.every((name) => {
      const value = table.valueOf(row, name);
      return value !== undefined && value === table.valueOf(oldRow, name);
    }) ?? false
  );
}
