import { useMatch, useNavigate, useRouter } from '@tanstack/react-router';
import { QuickSearch } from '../../features/search/components/quick-search.tsx';
import { useIdlePreload } from '../../shared/lib/use-idle-preload.ts';
import { useHeldLibrary } from './use-held-library.ts';
import { useOpenCategory } from './use-open-category.ts';
import { usePrefetchCategory } from './use-prefetch-category.ts';

/** Where a search leads: its code is here before it is asked for. */
const loadTargets = () =>
  Promise.all([import('../pages/search-route.tsx'), import('../pages/category-route.tsx')]);

/** The search of the top bar. On the search page it shows that page's term. */
export function TopBarSearch() {
  const held = useHeldLibrary();
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
    <QuickSearch
      held={held}
      shownTerm={shownTerm ?? ''}
      onOpen={({ categoryId, linkId }) => openCategory(categoryId, linkId)}
      onIntend={prefetchCategory}
      onShowAll={(term) => void navigate(allResults(term))}
      allResultsPath={(term) => router.buildLocation(allResults(term)).href}
    />
  );
}
