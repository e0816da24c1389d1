import { describePlace } from './adding-messages.ts';
import { type CategoryGroup, findPlace } from './category-groups.ts';

/** 'Em Pasta / Categoria' for a link that is not saved where the person is looking; null where they see it appear. */
export function describeSavedPlace(
  groups: readonly CategoryGroup[],
  categoryId: string,
  shownId: string | null,
): string | null {
  if (categoryId === shownId) return null;
  const place = findPlace(groups, categoryId);
  return place ? `Em ${describePlace(place.folderName, place.name)}` : null;
}
