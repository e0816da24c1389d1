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
import { useReceivedAccess } from './received/use-received-access.ts';
import { SaveSearchHost } from './saved-searches/save-search-host.tsx';
import { useLibrary } from './use-library.ts';
import { useOpenCategory } from './use-open-category.ts';
import { usePrefetchCategory } from './use-prefetch-category.ts';

/** Commands, and what others share: wanted when somebody types. */
const SearchExtras = lazyPart(
  () => import('./search/search-extras.tsx'),
  (module) => module.SearchExtras,
);

const TagsReader = lazyPart(
  () => import('./tags/tagging-host.tsx'),
  (module) => module.TagsReader,
);

/** Where a search leads: its code is here before it is asked for. */
const loadTargets = () =>
  Promise.all([
    SearchExtras.preload(),
    import('../pages/search-route.tsx'),
    import('../pages/category-route.tsx'),
  ]);

/** The search of the top bar. On the search page it shows that page's term. */
export function TopBarSearch({ onOpenShortcuts }: { readonly onOpenShortcuts: () => void }) {
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
        renderExtras={(props) => (
          <Suspense>
            <SearchExtras {...props} onOpenShortcuts={onOpenShortcuts} />
          </Suspense>
        )}
        onShowAll={(term) => void navigate(allResults(term))}
        renderSave={(question) => <SaveSearchHost question={question} quiet />}
        allResultsPath={(term) => router.buildLocation(allResults(term)).href}
      />
    </>
  );
}

/** What the browser has cached of one's own library, for the search. What others share the service alone searches. */
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
  const { shares } = useReceivedAccess();
  const listOwners = useCallback(() => shares.flatMap(({ ownerName }) => ownerName ?? []), [shares]);
  const { ids } = useStars();
  const isFavorite = useCallback((linkId: string) => ids.has(linkId), [ids]);
  const userId = useUserId();
  const listTags = useCallback(
    () => queryClient.getQueryData<readonly CachedTag[]>(['tags', userId]) ?? [],
    [queryClient, userId],
  );
  return useMemo(
    () => ({ folders, listLinks, listOwners, isFavorite, listTags }),
    [folders, listLinks, listOwners, isFavorite, listTags],
  );
}
