import { useCategories } from '../../../features/categories/api/list-categories.ts';
import type { ListedCategory } from '../../../features/categories/model/category-rows.ts';

/** The person's inbox; null before the first link that went there, and while that is not known. */
export function useInbox(): ListedCategory | null {
  return useCategories().data?.find((category) => category.is_inbox) ?? null;
}
