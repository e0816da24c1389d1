import type { FeedTable, RowChange } from '../../feed/change-feed.ts';
import { bindTable } from '../catalogue/bind-table.ts';
import type { BoundTable } from '../catalogue/bound-table.ts';
import type { Publication } from '../catalogue/publication.ts';
import { type ChangeContextDeps, createChangeContext } from './create-change-context.ts';
import type { EntryIndex } from './create-entry-index.ts';
import { decideMessages } from './decide-messages.ts';
import type { Entry, ListeningChannel } from './listening-channel.ts';

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
