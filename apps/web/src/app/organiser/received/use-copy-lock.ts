import { describeFullPlan } from '@linkoteca/domain/messages/plan-messages';
import { useCategoryAllowance, useLinkAllowance } from '../../../features/account/api/usage.ts';

/** How full the plan is, where it has no room for one more category, or for the links of one; null where it has, or that is not known. */
export function useCopyLock(): string | null {
  const categories = describeFullPlan('maxCategories', useCategoryAllowance());
  const links = describeFullPlan('maxLinks', useLinkAllowance());
  return categories ?? links;
}
