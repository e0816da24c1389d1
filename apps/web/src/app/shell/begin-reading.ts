import type { QueryClient } from '@tanstack/react-query';
import { categoriesQuery } from '../../features/categories/api/list-categories.ts';
import { foldersQuery } from '../../features/folders/api/list-folders.ts';
import { prefetchLinks } from '../../features/links/api/list-links.ts';
import type { DatabaseClient } from '../../shared/lib/supabase/create-database-client.ts';

interface FirstReads {
  readonly queryClient: QueryClient;
  readonly database: DatabaseClient;
  readonly userId: string;
  /** The category the page's address names, if it does. */
  readonly categoryId: string | undefined;
}

/**
 * Asks for what the first picture is made of before the frame around it is drawn: on a slow phone that takes as long as
 * the answers do.
 */
export function beginReading({ queryClient, database, userId, categoryId }: FirstReads): void {
  if (categoryId !== undefined) prefetchLinks(queryClient, database, categoryId);
  void queryClient.prefetchQuery(categoriesQuery(database, userId));
  void queryClient.prefetchQuery(foldersQuery(database, userId));
}
