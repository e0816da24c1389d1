import type { CategoryGroup } from '../components/form/category-select.tsx';
import { describePlace } from './adding-messages.ts';

/** 'Em Pasta / Categoria' for a link that is not saved where the person is looking; null where they see it appear. */
export function describeSavedPlace(
  groups: readonly CategoryGroup[],
  categoryId: string,
  shownId: string | null,
): string | null {
  if (categoryId === shownId) return null;
  for (const { folderName, categories } of groups) {
    const category = categories.find(({ id }) => id === categoryId);
    if (category) return `Em ${describePlace(folderName, category.name)}`;
  }
  return null;
}
