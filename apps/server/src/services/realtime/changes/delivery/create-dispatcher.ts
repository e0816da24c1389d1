import type { FeedTable, RowChange } from '../../feed/change-feed.ts';
import { bindTable } from '../catalogue/bind-table.ts';
import type { BoundRole, BoundTable } from '../catalogue/bound-table.ts';
import type { Publication } from '../catalogue/publication.ts';
import type { ChangeView } from './build-change-data.ts';
import {
  type Answer,
  type ChangeContext,
  type ChangeContextDeps,
  createChangeContext,
} from './create-change-context.ts';
import type { EntryIndex } from './create-entry-index.ts';
import type { Decision, Entry, ListeningChannel, Messages } from './listening-channel.ts';
import type { Viewer } from './viewer.ts';

export type Dispatcher = {
  /** Hands the change to the queues of all channels that it may concern. */
  dispatch(change: RowChange, publication: Publication): void;
};

export function createDispatcher(index: EntryIndex, deps: ChangeContextDeps): Dispatcher {
  let boundFor: Publication | undefined;
  let bound = new WeakMap<FeedTable, BoundTable>();

  function bind(feed: FeedTable, publication: Publication): BoundTable | undefined {
    if (boundFor !== publication) {
      boundFor = publication;
      bound = new WeakMap();
    }
    const known = bound.get(feed);
    if (known) return known;
    const published = publication.byOid.get(feed.oid);
    if (published === undefined) return undefined;
    const table = bindTable(feed, published);
    bound.set(feed, table);
    return table;
  }

  return {
    dispatch(change, publication) {
      const table = bind(change.table, publication);
      const context = table && createChangeContext(deps, table, change);
      if (context === undefined) return;
      const byChannel = new Map<ListeningChannel, Entry[]>();
      for (const entry of index.find(context.table, context.row)) {
        const { channel, request } = entry;
        if (request.event !== '*' && request.event !== change.type) continue;
        // Most rows are most listeners' business not at all: nothing is made for them.
        if (channel.queue.isEmpty() && context.sees(channel.viewer) === false) continue;
        const entries = byChannel.get(channel);
        if (entries) entries.push(entry);
        else byChannel.set(channel, [entry]);
      }
      for (const [channel, entries] of byChannel) {
        entries.sort((one, other) => one.id - other.id);
        // A message to one channel may have ended another.
        if (!channel.isClosed) channel.queue.push(() => decideMessages(context, entries, channel.viewer));
      }
    },
  };
}

const UNAUTHORIZED = 'Error 401: Unauthorized';
const NO_PRIMARY_KEY = 'Error 400: Bad Request, no primary key';

/**
 * What a viewer is told of a change, for those of one channel's subscriptions that may concern it: one message for all
 * subscriptions that show the same. Nobody is told anything of a row that they do not see.
 */
function decideMessages(context: ChangeContext, entries: readonly Entry[], viewer: Viewer): Decision {
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
