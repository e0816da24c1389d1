/** How many categories a person is offered again. */
export const RECENT_CHOICES = 3;

/** One more is kept than shown, because the open one may be no choice. */
const KEPT = RECENT_CHOICES + 1;

const keyOf = (userId: string) => `linkoteca-recent-categories-${userId}`;

/** The categories that links were saved in or moved to last, the latest first; some may be gone by now. */
export function readRecentCategories(userId: string): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, KEPT) : [];
  } catch {
    return [];
  }
}

/** Remembers a category in this browser. */
export function rememberCategory(userId: string, categoryId: string): void {
  const ids = [categoryId, ...readRecentCategories(userId).filter((id) => id !== categoryId)];
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify(ids.slice(0, KEPT)));
  } catch {
    // A browser without storage offers the categories in their own order.
  }
}
