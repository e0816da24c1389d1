import type { SearchResult } from '@linkoteca/domain/entities';
import type { QueryClient } from '@tanstack/react-query';
import type { TableChange } from '../../../shared/lib/realtime/table-change.ts';

/**
 * Puts what was heard of links and of the names of categories into the results that are cached. What belongs to a result
 * only now, or no longer, the service has to say.
 */
export function applySearchChanges(
  queryClient: QueryClient,
  links: readonly TableChange[],
  categories: readonly TableChange[],
): void {
  const linkById = new Map(links.map((change) => [change.id, change]));
  const categoryById = new Map(categories.map((change) => [change.id, change]));
  queryClient.setQueriesData<readonly SearchResult[]>({ queryKey: ['search'] }, (results) => {
    if (!Array.isArray(results)) return results;
    const next = results.flatMap((result: SearchResult) =>
      renew(result, linkById.get(result.id), categoryById.get(result.category_id)),
    );
    const same = next.length === results.length && next.every((result, index) => result === results[index]);
    return same ? results : next;
  });
}

function renew(result: SearchResult, link?: TableChange, category?: TableChange): readonly SearchResult[] {
  if (link?.operation === 'DELETE' || category?.operation === 'DELETE') return [];
  const { title, url, description } = { ...result, ...link?.row } as SearchResult;
  const name = category?.row['name'];
  const categoryName = typeof name === 'string' ? name : result.category_name;
  const same =
    title === result.title &&
    url === result.url &&
    description === result.description &&
    categoryName === result.category_name;
  return [same ? result : { ...result, title, url, description, category_name: categoryName }];
}
