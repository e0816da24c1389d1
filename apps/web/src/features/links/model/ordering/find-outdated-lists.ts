import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { flattenLinks, type LinkPages } from '../link-pages.ts';

/**
 * The lists in an order of their own that have a link, and have it elsewhere than it is said to stand now; those that are being read
 * may be from before.
 * @param rank undefined where the link stands where its birth puts it.
 */
export function findListsOfOtherRank(
  queryClient: QueryClient,
  linkId: string,
  rank: unknown,
): readonly QueryKey[] {
  return queryClient
    .getQueryCache()
    .findAll({ queryKey: ['links'] })
    .filter(({ queryKey, state }) => {
      const pages = state.data as LinkPages | undefined;
      if (queryKey[2] === undefined || pages === undefined) return false;
      if (state.fetchStatus === 'fetching') return true;
      const known = pages.pages.map(({ ranks }) => ranks?.[linkId]).find((each) => each !== undefined);
      return known !== rank && flattenLinks(pages).some(({ id }) => id === linkId);
    })
    .map(({ queryKey }) => queryKey);
}
