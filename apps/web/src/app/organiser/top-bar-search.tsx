import { QuickSearch } from '../../features/search/components/quick-search.tsx';
import { useOpenCategory } from './use-open-category.ts';

/** The search of the top bar. */
export function TopBarSearch() {
  return <QuickSearch onOpenCategory={useOpenCategory()} />;
}
