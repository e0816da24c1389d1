import { openStorage } from '../../../shared/lib/browser/open-storage.ts';
import { rememberCategory } from './recent-categories.ts';

const keyOf = (userId: string) => `linkoteca-last-category-${userId}`;

/** The category this person saved a link in last, on this browser; null before the first or without storage. */
export function readLastCategory(userId: string): string | null {
  return openStorage().getItem(keyOf(userId));
}

/** Remembers where a link was saved, to suggest it for the next. */
export function rememberLastCategory(userId: string, categoryId: string): void {
  rememberCategory(userId, categoryId);
  try {
    localStorage.setItem(keyOf(userId), categoryId);
  } catch {
    // Without storage nothing is suggested.
  }
}
