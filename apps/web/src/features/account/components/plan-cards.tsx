import {
  BILLING_INTERVALS,
  type BillingInterval,
  PLAN_IDS,
  PLANS,
  type PlanId,
} from '@linkoteca/domain/plans';
import { LoaderCircle } from 'lucide-react';
import { useState } from 'react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { usePrices } from '../api/prices.ts';
import { useSubscription } from '../api/subscription.ts';
import { BILLING_MESSAGES } from '../model/billing-messages.ts';
import { decidePlanOffer, type PlanOffer } from '../model/decide-plan-offer.ts';
import { type LeavePage, useDeparture } from '../model/departure.ts';
import { hasSubscription } from '../model/describe-subscription.ts';
import { describeYearlySaving, PLAN_OFFER_MESSAGES } from '../model/plan-offer-messages.ts';
import { type PlanPrices, priceOfPlan } from '../model/prices.ts';
import { useOpenPortal } from '../model/use-open-portal.ts';
import { useSubscribe } from '../model/use-subscribe.ts';
import { PlanCard } from './plan-card.tsx';

interface PlanCardsProps {
  /** Nothing can be bought while a payment is being confirmed. */
  readonly closed?: boolean;
  readonly leavePage?: LeavePage;
}

/** The three plans with their prices, what they allow and how to get them; the person's own is marked. */
export function PlanCards({ closed = false, leavePage }: PlanCardsProps) {
  const { subscription, problem } = useSubscription();
  const { list, loading, testMode } = usePrices();
  const departure = useDeparture(leavePage);
  const subscribe = useSubscribe(departure);
  const openPortal = useOpenPortal(departure);
  const [chosen, setChosen] = useState<BillingInterval | null>(null);

  const running = subscription && hasSubscription(subscription) ? subscription : null;
  const own: PlanId | null = subscription && (running?.plan ?? 'free');
  const interval = chosen ?? running?.interval ?? 'month';
  const plus = priceOfPlan('plus', list);
  // At most one filled button: what mends a payment, else the next larger plan.
  const primary = running?.status === 'payment_failed' ? own : PLAN_IDS[PLAN_IDS.indexOf(own ?? 'pro') + 1];

  const press = (id: PlanId, offer: PlanOffer, prices: PlanPrices) => {
    if (offer.kind === 'portal') openPortal(id);
    else subscribe(id, interval, { amountCents: prices[interval], currency: prices.currency });
  };
  return (
    <div className="flex flex-col gap-5">
      {problem ? <Notice tone="warning">{problem}</Notice> : null}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
        <IntervalSwitch
          value={interval}
          saving={
            loading || !plus.sold.month || !plus.sold.year
              ? null
              : describeYearlySaving(plus.month, plus.year)
          }
          onChange={setChosen}
        />
        {testMode ? <p className="text-sm text-ink-soft">{BILLING_MESSAGES.testMode}</p> : null}
      </div>
      <ul className="grid gap-4 lg:grid-cols-3">
        {PLAN_IDS.map((id) => {
          const prices = priceOfPlan(id, list);
          const offer =
            subscription && sellable(decidePlanOffer(id, interval, subscription), prices.sold[interval]);
          return (
            <PlanCard
              key={id}
              plan={PLANS[id]}
              interval={interval}
              prices={loading ? null : prices}
              own={id === own}
              ownInterval={running?.interval ?? null}
            >
              <PlanAction
                offer={offer}
                primary={id === primary}
                leaving={departure.leaving === id}
                closed={closed || loading || (departure.leaving !== null && departure.leaving !== id)}
                onPress={() => (offer ? press(id, offer, prices) : undefined)}
              />
            </PlanCard>
          );
        })}
      </ul>
    </div>
  );
}

function sellable(offer: PlanOffer, sold: boolean): PlanOffer {
  return offer.kind === 'checkout' && !sold ? { kind: 'none', words: PLAN_OFFER_MESSAGES.notSold } : offer;
}

interface IntervalSwitchProps {
  readonly value: BillingInterval;
  /** What a year saves, in words; null for nothing. */
  readonly saving: string | null;
  readonly onChange: (interval: BillingInterval) => void;
}

/** By the month or by the year. */
function IntervalSwitch({ value, saving, onChange }: IntervalSwitchProps) {
  return (
    <fieldset
      aria-label={PLAN_OFFER_MESSAGES.intervals}
      className="inline-flex self-start rounded border border-edge-soft bg-surface p-0.5"
    >
      {BILLING_INTERVALS.map((interval) => (
        <button
          key={interval}
          type="button"
          aria-pressed={interval === value}
          onClick={() => onChange(interval)}
          className={joinClassNames(
            'inline-flex h-8 items-center gap-2 rounded-sm px-3 text-base font-medium transition-colors pointer-coarse:h-11',
            interval === value ? 'bg-press text-ink' : 'text-ink-soft hover:text-ink',
          )}
        >
          {PLAN_OFFER_MESSAGES.interval[interval]}{' '}
          {interval === 'year' && saving ? <Badge tone="accent">{saving}</Badge> : null}
        </button>
      ))}
    </fieldset>
  );
}

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
function PlanAction({ offer, primary, leaving, closed, onPress }: PlanActionProps) {
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
