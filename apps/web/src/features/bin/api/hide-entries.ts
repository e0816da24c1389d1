import type { QueryClient } from '@tanstack/react-query';
import type { BinEntry } from '../model/bin-entry.ts';
import type { binQuery } from './list-bin.ts';

/** Takes entries out of the list on the screen, ahead of the service. Returns how to show them again. */
export async function hideEntries(
  queryClient: QueryClient,
  queryKey: ReturnType<typeof binQuery>['queryKey'],
  isHidden: (entry: BinEntry) => boolean,
): Promise<() => void> {
  // An answer that is on its way would bring them back.
  await queryClient.cancelQueries({ queryKey });
  const before = queryClient.getQueryData(queryKey);
  queryClient.setQueryData(
    queryKey,
    (shown) =>
      shown && { ...shown, pages: shown.pages.map((page) => page.filter((entry) => !isHidden(entry))) },
  );
  return () => void queryClient.setQueryData(queryKey, before);
}
