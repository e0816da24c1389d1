import { useEffect, useRef } from 'react';
import { usePlan } from '../../features/account/api/use-plan.ts';
import { orderByOpening, useReceivedShares } from '../../features/categories/api/list-received-shares.ts';
import { useReceivedLimitToast } from './use-received-limit-toast.ts';

/** Says so when somebody shares one category more than the plan opens. What was shared before is no news. */
export function useTellReceivedLimit(): void {
  const shares = useReceivedShares().data;
  const { plan } = usePlan();
  const tell = useReceivedLimitToast();
  const known = useRef<ReadonlySet<string> | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: how to tell is new in every render, what to tell is not
  useEffect(() => {
    if (shares === undefined || plan === null) return;
    const before = known.current;
    known.current = new Set(shares.map(({ id }) => id));
    const beyond =
      plan.maxReceivedShares === null ? [] : orderByOpening(shares).slice(plan.maxReceivedShares);
    if (before !== null && beyond.some(({ id }) => !before.has(id))) tell();
  }, [shares, plan]);
}
