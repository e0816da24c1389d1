import { useSearch } from '@tanstack/react-router';
import { SearchPage } from '../../features/search/components/search-page.tsx';
import { useCategoryIntent } from '../organiser/use-category-intent.ts';

/** /search?q=…&page=1 */
export function SearchRoute() {
  const { q = '', page = 1 } = useSearch({ from: '/shell/search' });
  const intent = useCategoryIntent();
  return (
    <div {...intent}>
      <SearchPage term={q.trim()} page={page} />
    </div>
  );
}
