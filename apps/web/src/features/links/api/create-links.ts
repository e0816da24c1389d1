import { useMutation, useQueryClient } from '@tanstack/react-query';
import { columnsOf, type Link } from '../../../shared/lib/rows.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import {
  joinOptimisticWrites,
  type OptimisticWrite,
  recount,
} from '../../../shared/lib/writes/optimistic-write.ts';
import { type BeginCountLinks, beginAddLinks, storeLinks } from '../model/link-rows.ts';
import { type NewLink, newLinkRow, showNewLink } from './create-link.ts';

/** Links in one request: all of them are stored, or none. */
const LINKS_PER_REQUEST = 200;

/** A save in several requests that stopped on its way. */
export class PartialCreation extends Error {
  override readonly name = 'PartialCreation';
  readonly savedIds: ReadonlySet<string>;

  constructor(savedIds: ReadonlySet<string>, cause: unknown) {
    super('only some of the links were saved', { cause });
    this.savedIds = savedIds;
  }
}

export interface NewLinks {
  /** As the list shows them: the first on top. */
  readonly links: readonly NewLink[];
  /** Called with how many are stored so far. */
  readonly onProgress?: (saved: number) => void;
}

/**
 * Stores links, the last one first: the newest stands on top of its category, so the list keeps the order of `links`.
 * One that an earlier attempt stored, although its answer was lost, counts as stored.
 * @throws InvalidRow, or the table API's error when none is stored, PartialCreation when some are.
 */
async function createLinks(database: DatabaseClient, userId: string, { links, onProgress }: NewLinks) {
  const rows = links.map((link) => newLinkRow(link, userId)).toReversed();
  const stored: Link[] = [];
  for (let done = 0; done < rows.length; done += LINKS_PER_REQUEST) {
    const { data, error } = await database
      .from('links')
      .upsert(rows.slice(done, done + LINKS_PER_REQUEST), { onConflict: 'id', ignoreDuplicates: true })
      .select<string, Link>(columnsOf('links'));
    if (error !== null) {
      if (done === 0) throw error;
      throw new PartialCreation(new Set(rows.slice(0, done).map(({ id }) => id)), error);
    }
    stored.push(...data);
    onProgress?.(Math.min(done + LINKS_PER_REQUEST, rows.length));
  }
  return stored;
}

/** Creates links of one category; list and counters show them before the server has answered, and keep what was stored. */
export function useCreateLinks(beginCountLinks: BeginCountLinks) {
  const database = useDatabase();
  const userId = useUserId();
  const queryClient = useQueryClient();
  const beginAdd = async (links: readonly NewLink[]): Promise<OptimisticWrite> => {
    const now = new Date().toISOString();
    const shown = links.map((link) => showNewLink(link, userId, now));
    return joinOptimisticWrites(
      await beginAddLinks(queryClient, shown),
      await beginCountLinks(countGains(links)),
    );
  };
  return useMutation({
    mutationKey: ['links', 'create-many'],
    mutationFn: (list: NewLinks) => createLinks(database, userId, list),
    onMutate: ({ links }) => beginAdd(links),
    onSuccess: (stored) => storeLinks(queryClient, stored),
    onError: async (error, { links }, shown) => {
      shown?.undo();
      if (!(error instanceof PartialCreation)) return;
      const kept = await beginAdd(links.filter(({ id }) => error.savedIds.has(id)));
      kept.settle();
    },
    onSettled: (stored, _error, { links }, shown) => {
      shown?.settle();
      if (stored && stored.length < links.length) recount(queryClient, 'categories');
    },
  });
}

function countGains(links: readonly NewLink[]): ReadonlyMap<string, number> {
  const gains = new Map<string, number>();
  for (const { category_id } of links) gains.set(category_id, (gains.get(category_id) ?? 0) + 1);
  return gains;
}
