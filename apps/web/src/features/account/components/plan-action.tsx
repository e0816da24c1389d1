import { BILLING_MESSAGES } from '@linkoteca/domain/billing-messages';
import { PLAN_OFFER_MESSAGES } from '@linkoteca/domain/plan-offer-messages';
import { LoaderCircle } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { Skeleton } from '../../../shared/ui/skeleton.tsx';
import type { PlanOffer } from '../model/decide-plan-offer.ts';

interface PlanActionProps {
  /** null while the person's own plan is unknown. */
  readonly offer: PlanOffer | null;
  /** The one filled button of the page. */
  readonly primary: boolean;
  /** This one is leading to the provider. */
  readonly leaving: boolean;
  /** Another one is. */
  readonly closed: boolean;
  readonly onPress: () => void;
}

/** The button of a plan's card, or what stands in its place. */
export function PlanAction({ offer, primary, leaving, closed, onPress }: PlanActionProps) {
  if (offer === null) return <Skeleton className="h-10 w-full" />;
  if (offer.kind === 'none' || offer.kind === 'current') {
    const words = offer.kind === 'current' ? BILLING_MESSAGES.currentPlan : offer.words;
    return <p className="flex h-10 items-center text-base text-ink-soft">{words}</p>;
  }
  return (
    <Button
      variant={primary ? 'primary' : 'secondary'}
      size="large"
      busy={leaving}
      busyLabel={offer.kind === 'portal' ? BILLING_MESSAGES.opening : PLAN_OFFER_MESSAGES.opening}
      disabled={closed}
      icon={leaving ? <LoaderCircle aria-hidden className="animate-spin" /> : null}
      onClick={onPress}
    >
      {offer.label}
    </Button>
  );
}
