import { CACHE_MS } from '@linkoteca/domain/limits';
import type { Plan } from '@linkoteca/domain/plans';
import { PLANS } from '@linkoteca/domain/plans';
import { useSubscription } from './use-subscription.ts';

/**
 * The plan whose limits hold, known for five minutes; null until it is known, and where it cannot be read. A check that
 * fails allows (specification, section 5): the fallback to free is for showing alone, and the database has the last word.
 */
export function usePlan(): { readonly plan: Plan | null; readonly failed: boolean } {
  const { subscription, problem } = useSubscription(CACHE_MS.planLimits);
  const failed = problem !== null;
  return { plan: subscription && !failed ? PLANS[subscription.effectivePlan] : null, failed };
}
