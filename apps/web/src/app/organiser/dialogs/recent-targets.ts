/** How many categories a person is offered again. */
const KEPT = 3;

const keyOf = (userId: string) => `linkoteca-move-targets-${userId}`;

/** The categories that links were moved to last, the latest first; some may be gone by now. */
export function readRecentTargets(userId: string): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, KEPT + 1) : [];
  } catch {
    return [];
  }
}

/** Remembers a category in this browser; one more is kept than shown, because the open one is no target. */
export function rememberTarget(userId: string, categoryId: string): void {
  const ids = [categoryId, ...readRecentTargets(userId).filter((id) => id !== categoryId)];
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify(ids.slice(0, KEPT + 1)));
  } catch {
    // A browser without storage offers the categories in their own order.
  }
}
