import type { Database } from '@linkoteca/database-types/database';
import type { QueryClient } from '@tanstack/react-query';
import type { Link } from '../../../shared/lib/rows.ts';
import { optimisticRowList } from '../../../shared/lib/writes/optimistic-row-list.ts';

type Row = Database['public']['Tables']['favorites']['Row'];

/** What is known of a starred link, wherever it is. */
export type StarredLink = Pick<Link, 'id' | 'title' | 'url' | 'category_id'>;

/** A star: on a category, or on a link. */
export interface Favorite extends Readonly<Pick<Row, 'id' | 'link_id' | 'category_id' | 'created_at'>> {
  /** null for a category, and for a link that the person may not read any more. */
  readonly links: StarredLink | null;
}

/** What a press on a star is about. */
export type StarredItem =
  | { readonly kind: 'category'; readonly id: string }
  | { readonly kind: 'link'; readonly id: string; readonly link: StarredLink };

/** Cache key of a person's favourites. */
export function favoriteListKey(userId: string) {
  return ['favorites', userId] as const;
}

/** The cached favourites of a person, to be changed ahead of the server. */
export function favoriteRows(queryClient: QueryClient, userId: string) {
  return optimisticRowList<Favorite>(queryClient, favoriteListKey(userId));
}
