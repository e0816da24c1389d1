import { CACHE_MS } from '@linkoteca/domain/limits';
import type { Plan } from '@linkoteca/domain/plans';
import { PLANS } from '@linkoteca/domain/plans';
import { useSubscription } from './use-subscription.ts';

/** The plan whose limits hold, known for five minutes; null until it is known. The database has the last word. */
export function usePlan(): Plan | null {
  const { subscription } = useSubscription(CACHE_MS.planLimits);
  return subscription && PLANS[subscription.effectivePlan];
}
