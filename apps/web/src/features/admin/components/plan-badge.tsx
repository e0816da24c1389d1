import { PLANS, type PlanId } from '@linkoteca/domain/plans';
import { Badge } from '../../../shared/ui/badge.tsx';

const tones = { free: 'neutral', plus: 'warning', pro: 'accent' } as const;

/** A plan's name in its colour. */
export function PlanBadge({ plan }: { readonly plan: PlanId }) {
  return <Badge tone={tones[plan]}>{PLANS[plan].name}</Badge>;
}
