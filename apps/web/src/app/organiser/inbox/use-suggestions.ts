import { suggestCategories } from '@linkoteca/domain/suggest-categories';
import { readHost } from '@linkoteca/domain/urls';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { CategoryGroup } from '../../../features/links/model/category-groups.ts';
import { listCachedLinks } from '../../../features/links/model/list-cached-links.ts';
import { readRecentCategories } from '../../../features/links/model/recent-categories.ts';
import { linksOfHostQuery } from '../../../features/search/api/list-links-of-host.ts';
import type { Link } from '../../../shared/lib/rows.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';

/**
 * Where a link may belong, by the person's own library: what the browser holds of it, and other links of the same site.
 * @param next the link that comes after it: of that the service is asked ahead.
 * @returns null until it is known. From then on the places stay where they are: a key must not move a link where another place stood.
 */
export function useSuggestions(
  link: Link,
  next: Link | undefined,
  groups: readonly CategoryGroup[],
): readonly string[] | null {
  const queryClient = useQueryClient();
  const database = useDatabase();
  const userId = useUserId();
  const [recentIds] = useState(() => readRecentCategories(userId));
  const sameHost = useQuery(linksOfHostQuery(database, userId, readHost(link.url)));
  useQuery({
    ...linksOfHostQuery(database, userId, readHost((next ?? link).url)),
    enabled: next !== undefined,
  });
  const isKnown = !sameHost.isLoading && groups.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what changes meanwhile is for the next link
  return useMemo(() => {
    if (!isKnown) return null;
    const ids = new Set(groups.flatMap(({ categories }) => categories.map(({ id }) => id)));
    const cached = listCachedLinks(queryClient, ids).flat();
    const known = new Map([...cached, ...(sameHost.data ?? [])].map((one) => [one.id, one]));
    return suggestCategories(link, {
      groups,
      known: [...known.values()],
      recentIds,
      closedId: link.category_id,
    });
  }, [link.id, isKnown]);
}
