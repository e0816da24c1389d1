import type { CaptureRefusal } from '../outbox/capture.ts';
import { translate } from './translate.ts';

/** Why a capture waits, and what the person can do. */
export function describeRefusal(refusal: CaptureRefusal): string {
  switch (refusal.kind) {
    case 'link_limit':
      return translate('fullLinks', refusal.max);
    case 'folder_full':
      return translate('fullFolder', refusal.max);
    case 'category_limit':
      return translate('fullCategories', refusal.max);
    case 'category_gone':
      return translate('categoryGone');
    case 'signed_out':
      return translate('signedOut');
    case 'not_allowed':
      return translate('notAllowed');
    case 'invalid':
      return translate('invalid', refusal.words);
  }
}
