import { usePlan } from '../../../features/account/api/subscription.ts';
import {
  orderByOpening,
  type ReceivedShare,
  useReceivedShares,
} from '../../../features/categories/api/list-received-shares.ts';

const NONE: readonly never[] = [];

/** What others share with the person, and which of it their plan opens: on the free plan the chosen one alone, else the earliest. */
export function useReceivedAccess(): {
  readonly shares: readonly ReceivedShare[];
  /** 'unknown' while it hangs on a plan that is still on its way. */
  readonly accessOf: (categoryId: string) => 'open' | 'limited' | 'unknown';
} {
  const shares = useReceivedShares().data ?? NONE;
  const { plan, failed } = usePlan();
  const accessOf = (categoryId: string) => {
    const place = orderByOpening(shares).findIndex((share) => share.id === categoryId);
    if (place <= 0) return 'open';
    if (plan === null) return failed ? 'open' : 'unknown';
    return plan.maxReceivedShares === null || place < plan.maxReceivedShares ? 'open' : 'limited';
  };
  return { shares, accessOf };
}
