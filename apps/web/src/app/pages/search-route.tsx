import { useSearch } from '@tanstack/react-router';
import { SearchPage } from '../../features/search/components/search-page.tsx';

/** /search?q=…&page=1 */
export function SearchRoute() {
  const { q = '', page = 1 } = useSearch({ from: '/shell/search' });
  return <SearchPage term={q.trim()} page={page} />;
}
