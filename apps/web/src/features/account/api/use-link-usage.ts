import { describeRemainingLinks, usagePercent } from '@linkoteca/domain/plan-messages';
import type { Plan } from '@linkoteca/domain/plans';
import { useLibraryCounts } from './use-library-counts.ts';
import { usePlan } from './use-plan.ts';

export interface LinkUsage {
  readonly plan: Plan;
  readonly used: number;
  /** null: unlimited. */
  readonly max: number | null;
  /** 0 to 100; null when unlimited. */
  readonly percent: number | null;
  /** First line of the limit banner; null while it stays hidden. */
  readonly warning: string | null;
}

/** Links used and allowed; null until both are known. */
export function useLinkUsage(): LinkUsage | null {
  const plan = usePlan();
  const counts = useLibraryCounts();
  if (!plan || !counts.data) return null;
  const used = counts.data.links;
  return {
    plan,
    used,
    max: plan.maxLinks,
    percent: usagePercent(used, plan.maxLinks),
    warning: describeRemainingLinks(used, plan.maxLinks),
  };
}
