import { openStorage } from '../../../shared/lib/browser/open-storage.ts';

const keyOf = (userId: string) => `linkoteca-opened-category-${userId}`;

/** The category this person looked at last, in this browser; null before the first or without storage. It may be gone by now. */
export function readOpenedCategory(userId: string): string | null {
  return openStorage().getItem(keyOf(userId));
}

/** Remembers where the person is, so that the dashboard can lead back there. */
export function rememberOpenedCategory(userId: string, categoryId: string): void {
  try {
    localStorage.setItem(keyOf(userId), categoryId);
  } catch {
    // Without storage the newest link says where the person was.
  }
}
