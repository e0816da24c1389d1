import { UNIQUE_VIOLATION } from '@linkoteca/domain/limits';
import { MutationObserver, type QueryClient } from '@tanstack/react-query';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { createId } from '../../../shared/lib/writes/create-id.ts';
import { type Favorite, favoriteListKey, favoriteRows, type StarredItem } from '../model/favorite-rows.ts';

export interface FavoriteScope {
  readonly database: DatabaseClient;
  readonly queryClient: QueryClient;
  readonly userId: string;
}

/**
 * A press on a star that is on, by what is shown, takes it off, and the other way round; shown before the server has answered.
 * Presses reach the service one after the other: the last one holds.
 */
export function planFavoriteToggle(scope: FavoriteScope, item: StarredItem) {
  const { database, queryClient, userId } = scope;
  const rows = favoriteRows(queryClient, userId);
  const isOfItem = (favorite: Favorite) => favorite[columnOf(item)] === item.id;
  const adds = rows.filter(isOfItem).length === 0;
  const star: Favorite = {
    id: createId(),
    link_id: item.kind === 'link' ? item.id : null,
    category_id: item.kind === 'category' ? item.id : null,
    created_at: new Date().toISOString(),
    links: item.kind === 'link' ? item.link : null,
  };
  const run = () =>
    new MutationObserver(queryClient, {
      mutationKey: ['favorites', adds ? 'add' : 'remove'],
      scope: { id: 'favorites' },
      mutationFn: () => (adds ? addStar(database, userId, star) : removeStar(database, userId, item)),
      onMutate: () => (adds ? rows.beginAdd(star) : rows.beginDrop(isOfItem)),
      onError: (_error, _item, shown) => shown?.undo(),
      onSettled: (_data, _error, _item, shown) => {
        shown?.settle();
        const queryKey = favoriteListKey(userId);
        if (queryClient.getQueryData(queryKey) === undefined)
          void queryClient.invalidateQueries({ queryKey });
      },
    }).mutate();
  return { adds, run };
}

function columnOf({ kind }: StarredItem): 'link_id' | 'category_id' {
  return kind === 'link' ? 'link_id' : 'category_id';
}

/** What another device has starred meanwhile is what was asked for. */
async function addStar(database: DatabaseClient, userId: string, star: Favorite): Promise<void> {
  const { id, link_id, category_id } = star;
  const { error } = await database.from('favorites').insert({ id, link_id, category_id, user_id: userId });
  if (error && error.code !== UNIQUE_VIOLATION) throw error;
}

async function removeStar(database: DatabaseClient, userId: string, item: StarredItem): Promise<void> {
  await database.from('favorites').delete().eq(columnOf(item), item.id).eq('user_id', userId).throwOnError();
}
