import { useMemo } from 'react';
import {
  type FavoriteEntry,
  listFavoriteEntries,
} from '../../../features/favorites/model/favorite-entries.ts';
import type { Favorite } from '../../../features/favorites/model/favorite-rows.ts';
import { useReceivedAccess } from '../received/use-received-access.ts';
import { useLibrary } from '../use-library.ts';

/** The favourites, as far as the person may read them. */
export function useFavoriteEntries(favorites: readonly Favorite[]): readonly FavoriteEntry[] {
  const { categories } = useLibrary();
  const { shares } = useReceivedAccess();
  return useMemo(() => {
    const known = new Map<string, { readonly name: string; readonly folderId: string | null }>([
      ...shares.map(({ id, name }) => [id, { name, folderId: null }] as const),
      ...categories.map(({ id, name, folder_id: folderId }) => [id, { name, folderId }] as const),
    ]);
    return listFavoriteEntries(favorites, (id) => known.get(id));
  }, [favorites, categories, shares]);
}
