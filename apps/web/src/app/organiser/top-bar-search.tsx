import { useQueryClient } from '@tanstack/react-query';
import { useMatch, useNavigate, useRouter } from '@tanstack/react-router';
import { Suspense, useCallback, useMemo } from 'react';
import { listCachedLinks } from '../../features/links/model/list-cached-links.ts';
import { QuickSearch } from '../../features/search/components/quick-search.tsx';
import type { CachedLibrary, CachedTag } from '../../features/search/model/cached-library.ts';
import { lazyPart } from '../../shared/lib/browser/lazy-part.tsx';
import { useIdlePreload } from '../../shared/lib/browser/use-idle-preload.ts';
import { useUserId } from '../../shared/lib/session/session-context.tsx';
import { useStars } from './favorites/use-stars.ts';
import { useLibrary } from './use-library.ts';
import { useOpenCategory } from './use-open-category.ts';
import { usePrefetchCategory } from './use-prefetch-category.ts';

const TagsReader = lazyPart(
  () => import('./tags/tagging-host.tsx'),
  (module) => module.TagsReader,
);

/** Where a search leads: its code is here before it is asked for. */
const loadTargets = () =>
  Promise.all([import('../pages/search-route.tsx'), import('../pages/category-route.tsx')]);

/** The search of the top bar. On the search page it shows that page's term. */
export function TopBarSearch() {
  const cached = useCachedLibrary();
  useIdlePreload(loadTargets);
  const openCategory = useOpenCategory();
  const prefetchCategory = usePrefetchCategory();
  const navigate = useNavigate();
  const router = useRouter();
  const shownTerm = useMatch({
    from: '/shell/search',
    shouldThrow: false,
    select: ({ search }) => search.q?.trim() ?? '',
  });
  const allResults = (term: string) => ({ to: '/search', search: { q: term, page: 1 } }) as const;
  return (
    <>
      <Suspense>
        <TagsReader />
      </Suspense>
      <QuickSearch
        cached={cached}
        shownTerm={shownTerm ?? ''}
        onOpen={({ categoryId, linkId }) => openCategory(categoryId, linkId)}
        onIntend={prefetchCategory}
        onShowAll={(term) => void navigate(allResults(term))}
        allResultsPath={(term) => router.buildLocation(allResults(term)).href}
      />
    </>
  );
}

/** What the browser has cached of one's own library, for the search. What others share is not searched. */
function useCachedLibrary(): CachedLibrary {
  const queryClient = useQueryClient();
  const { shelves, categories } = useLibrary();
  const folders = useMemo(
    () => shelves.map(({ folder, categories }) => ({ id: folder.id, name: folder.name, categories })),
    [shelves],
  );
  const listLinks = useCallback(
    () => listCachedLinks(queryClient, new Set(categories.map(({ id }) => id))),
    [queryClient, categories],
  );
  const { ids } = useStars();
  const isFavorite = useCallback((linkId: string) => ids.has(linkId), [ids]);
  const userId = useUserId();
  const listTags = useCallback(
    () => queryClient.getQueryData<readonly CachedTag[]>(['tags', userId]) ?? [],
    [queryClient, userId],
  );
  return useMemo(
    () => ({ folders, listLinks, isFavorite, listTags }),
    [folders, listLinks, isFavorite, listTags],
  );
}
