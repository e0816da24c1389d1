import type { ViewedCategory } from '../api/read-shared-category.ts';

/** What stands on the page of a shared category. */
export type Viewing =
  | { readonly state: 'checking' | 'failed' | 'missing' | 'denied' | 'limited' | 'locked' | 'revoked' }
  | { readonly state: 'granted'; readonly category: ViewedCategory };

interface Look {
  /** undefined before the first answer, null where there is nothing to know. */
  readonly category: ViewedCategory | null | undefined;
  /** The first look failed: nothing is known. */
  readonly failed: boolean;
  /** The category was on the screen before. */
  readonly wasGranted: boolean;
}

/**
 * Checking, then granted or denied (section 4). Whoever never saw the category is told why not; for whoever did, access
 * has ended. A look that fails later changes nothing.
 */
export function classifyViewing({ category, failed, wasGranted }: Look): Viewing {
  if (category === undefined) return { state: failed ? 'failed' : 'checking' };
  if (category === null) return { state: wasGranted ? 'revoked' : 'missing' };
  if (category.standing === 'denied') return { state: wasGranted ? 'revoked' : 'denied' };
  // Also for whoever had it open: another password ends what proved the last one.
  if (category.standing === 'limited' || category.standing === 'locked') return { state: category.standing };
  return { state: 'granted', category };
}
