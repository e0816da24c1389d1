import { OFFLINE_MESSAGES } from '@linkoteca/domain/messages/offline-messages';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useFavorites } from '../../../features/favorites/api/list-favorites.ts';
import type { Favorite, StarredItem } from '../../../features/favorites/model/favorite-rows.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';

/** What a press does is code that comes in an idle moment. */
export const loadToggle = () => import('./toggle-star.ts');

const NONE: readonly Favorite[] = [];

export interface Stars {
  readonly favorites: readonly Favorite[];
  /** Links and categories that are favourites. */
  readonly ids: ReadonlySet<string>;
  readonly toggle: (item: StarredItem) => void;
}

/** What the person has starred, and how a press on a star changes it. */
export function useStars(): Stars {
  const scope = { database: useDatabase(), queryClient: useQueryClient(), userId: useUserId() };
  const favorites = useFavorites().data ?? NONE;
  const ids = useMemo(
    () => new Set(favorites.map(({ link_id, category_id }) => link_id ?? category_id ?? '')),
    [favorites],
  );
  const toggle = (item: StarredItem) =>
    void loadToggle().then(
      ({ toggleStar }) => toggleStar(scope, item),
      () => toast.error(OFFLINE_MESSAGES.codeMissing.title, OFFLINE_MESSAGES.codeMissing.offline),
    );
  return { favorites, ids, toggle };
}
