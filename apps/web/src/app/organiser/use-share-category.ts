import { sharingModeOf } from '@linkoteca/domain/sharing-mode';
import { useCheckSharingPlan } from '../../features/account/api/use-check-sharing-plan.ts';
import type { ListedCategory } from '../../features/categories/model/category-rows.ts';
import { useSingleFlight } from '../../shared/lib/use-single-flight.ts';
import { useOrganiserDialogs } from './organiser-dialogs-context.ts';
import { useSharingGate } from './use-sharing-gate.ts';

/**
 * Opens the sharing dialog. A plan without sharing gets a notice instead, unless the category is shared from better days:
 * then it can be shared less.
 */
export function useShareCategory(): (category: ListedCategory) => Promise<void> {
  const ask = useOrganiserDialogs();
  const isAllowed = useCheckSharingPlan();
  const stop = useSharingGate();
  return useSingleFlight(async (category: ListedCategory) => {
    const canExtend = await isAllowed();
    if (canExtend || sharingModeOf(category) !== 'private') ask({ kind: 'share', category, canExtend });
    else stop();
  });
}
