import { CACHE_MS } from '@linkoteca/domain/limits';
import { describeRemainingLinks, usagePercent } from '@linkoteca/domain/messages/plan-messages';
import { PLANS } from '@linkoteca/domain/plans';
import { useLibraryCounts } from './use-library-counts.ts';
import { usePlan } from './use-plan.ts';
import { useSubscription } from './use-subscription.ts';

export interface LinkUsage {
  readonly used: number;
  /** null: unlimited. */
  readonly max: number | null;
  /** 0 to 100; null when unlimited. */
  readonly percent: number | null;
  /** First line of the limit banner; null while it stays hidden. */
  readonly warning: string | null;
}

/** Links used and allowed, to be shown; null until both are known. A plan that cannot be read is shown as free. */
export function useLinkUsage(): LinkUsage | null {
  const { subscription, problem } = useSubscription(CACHE_MS.planLimits);
  const counts = useLibraryCounts();
  if (!subscription || !counts.data) return null;
  const used = counts.data.links;
  const max = PLANS[subscription.effectivePlan].maxLinks;
  return {
    used,
    max,
    percent: usagePercent(used, max),
    warning: problem === null ? describeRemainingLinks(used, max) : null,
  };
}

/** The room for more links, to decide by; null while it is not known, or cannot be. */
export function useLinkAllowance(): Pick<LinkUsage, 'used' | 'max'> | null {
  const { plan } = usePlan();
  const counts = useLibraryCounts();
  return plan && counts.data ? { used: counts.data.links, max: plan.maxLinks } : null;
}
