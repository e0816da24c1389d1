import type { BoundRole } from '../catalogue/bound-table.ts';
import type { ChangeView } from '../payload/build-change-data.ts';
import type { Answer, ChangeContext } from './create-change-context.ts';
import type { Decision, Messages } from './create-channel-queue.ts';
import type { Entry } from './listening-channel.ts';
import type { Viewer } from './viewer.ts';

const UNAUTHORIZED = 'Error 401: Unauthorized';
const NO_PRIMARY_KEY = 'Error 400: Bad Request, no primary key';

/**
 * What a viewer is told of a change, for those of one channel's subscriptions that may concern it: one message for all
 * subscriptions that show the same. Nobody is told anything of a row that they do not see.
 */
export function decideMessages(context: ChangeContext, entries: readonly Entry[], viewer: Viewer): Decision {
  const sees = context.sees(viewer);
  if (sees === false) return [];
  const { type } = context.change;
  const asksForOld = type === 'UPDATE' && context.change.oldRow !== null;
  const sawOld = asksForOld ? context.sawOld(viewer) : true;
  const filtersOf = (entry: Entry) => entry.filters.get(context.table.published.oid) ?? null;
  const meets = entries.map((entry): Answer => {
    const filters = filtersOf(entry);
    return filters !== null && context.meets(filters, viewer);
  });
  const answers = [sees, sawOld, ...meets];
  if (answers.every((answer) => typeof answer === 'boolean'))
    return render(
      context,
      entries.filter((_, index) => meets[index] === true),
      viewer,
      sawOld === true,
    );
  return Promise.all(answers).then(([isSeen = false, wasSeen = false, ...isMet]) =>
    isSeen
      ? render(
          context,
          entries.filter((_, index) => isMet[index]),
          viewer,
          wasSeen,
        )
      : [],
  );
}

function render(
  context: ChangeContext,
  entries: readonly Entry[],
  { caller }: Viewer,
  sawOld: boolean,
): Messages {
  const role = context.table.roleOf(caller.role);
  const byView = new Map<string, { readonly entry: Entry; readonly ids: number[] }>();
  for (const entry of entries) {
    const key = `${caller.role} ${sawOld} ${JSON.stringify(entry.request.select)}`;
    const group = byView.get(key) ?? { entry, ids: [] };
    group.ids.push(entry.id);
    byView.set(key, group);
  }
  return [...byView].map(([key, { entry, ids }]) => {
    const data = context.data(key, () => viewOf(context, role, entry.request.select, sawOld));
    return `{"ids":[${ids.join(',')}],"data":${data}}`;
  });
}

function viewOf(
  { table, change }: ChangeContext,
  role: BoundRole,
  select: readonly string[] | null,
  sawOld: boolean,
): ChangeView {
  const selectable = new Set(role.selectable);
  const key = new Set(table.primaryKey);
  const error =
    change.type === 'DELETE'
      ? null
      : table.primaryKey.length === 0
        ? NO_PRIMARY_KEY
        : table.primaryKey.every((column) => selectable.has(column))
          ? null
          : UNAUTHORIZED;
  return {
    columns: role.selectable.filter(
      (column) => select === null || key.has(column) || select.includes(column.name),
    ),
    old: readsOld(),
    error,
  };

  function readsOld(): ChangeView['old'] {
    if (table.identity === 'f') return sawOld ? 'whole' : 'present_identity';
    if (change.oldRow === null) return 'present_identity';
    return change.type === 'DELETE' || sawOld ? 'identity' : 'nothing';
  }
}
