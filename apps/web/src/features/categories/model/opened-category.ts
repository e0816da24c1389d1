const keyOf = (userId: string) => `linkoteca-opened-category-${userId}`;

/** The category this person looked at last, in this browser; null before the first or without storage. It may be gone by now. */
export function readOpenedCategory(userId: string): string | null {
  try {
    return localStorage.getItem(keyOf(userId));
  } catch {
    return null;
  }
}

/** Remembers where the person is, so that the dashboard can lead back there. */
export function rememberOpenedCategory(userId: string, categoryId: string): void {
  try {
    localStorage.setItem(keyOf(userId), categoryId);
  } catch {
    // Without storage the newest link says where the person was.
  }
}
