import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { FavoritesGroup } from '../../../features/favorites/components/favorites-group.tsx';
import { FavoritesRail } from '../../../features/favorites/components/favorites-rail.tsx';
import { starredItemOf } from '../../../features/favorites/model/favorite-entries.ts';
import { useFavoriteEntries } from './use-favorite-entries.ts';
import type { Stars } from './use-stars.ts';

export interface FavoritesPanelProps {
  readonly stars: Stars;
  readonly collapsed: boolean;
  readonly activeCategoryId: string | null;
  readonly onOpen: (categoryId: string) => void;
}

/** The favourites, as far as the person may read them. */
export function FavoritesPanel({ stars, collapsed, activeCategoryId, onOpen }: FavoritesPanelProps) {
  useRenewFavorites();
  const entries = useFavoriteEntries(stars.favorites);
  if (entries.length === 0) return null;
  if (collapsed)
    return <FavoritesRail entries={entries} activeCategoryId={activeCategoryId} onOpenCategory={onOpen} />;
  return (
    <FavoritesGroup
      entries={entries}
      activeCategoryId={activeCategoryId}
      onOpenCategory={onOpen}
      onRemove={(entry) => stars.toggle(starredItemOf(entry))}
    />
  );
}

/** What was written of links shows here, too: a new title, another place, and that one is gone. */
function useRenewFavorites(): void {
  const queryClient = useQueryClient();
  useEffect(
    () =>
      queryClient.getMutationCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'success') return;
        if (event.mutation.options.mutationKey?.[0] === 'links')
          void queryClient.invalidateQueries({ queryKey: ['favorites'] });
      }),
    [queryClient],
  );
}
