import { CATEGORY_MESSAGES } from '@linkoteca/domain/messages/category-messages';
import type { SharingMode } from '@linkoteca/domain/sharing';

/** What else a save did, besides being saved: it began to share, or ended it. */
export function describeSharingChange(before: SharingMode, after: SharingMode): string | undefined {
  if (before === 'private' && after !== 'private') return CATEGORY_MESSAGES.shared;
  if (before !== 'private' && after === 'private') return CATEGORY_MESSAGES.unshared;
  return undefined;
}
