import type { BillingInterval } from '@linkoteca/domain/billing-interval';
import { BILLING_MESSAGES } from '@linkoteca/domain/billing-messages';
import { describeYearlySaving, PLAN_OFFER_MESSAGES } from '@linkoteca/domain/plan-offer-messages';
import type { PlanId } from '@linkoteca/domain/plans';
import { PLAN_IDS, PLANS } from '@linkoteca/domain/plans';
import { useState } from 'react';
import { Notice } from '../../../shared/ui/notice.tsx';
import { usePrices } from '../api/use-prices.ts';
import { useSubscription } from '../api/use-subscription.ts';
import type { PlanOffer } from '../model/decide-plan-offer.ts';
import { decidePlanOffer } from '../model/decide-plan-offer.ts';
import { hasSubscription } from '../model/has-subscription.ts';
import type { PlanPrices } from '../model/price-of-plan.ts';
import { priceOfPlan } from '../model/price-of-plan.ts';
import type { LeavePage } from '../model/use-departure.ts';
import { useDeparture } from '../model/use-departure.ts';
import { useOpenPortal } from '../model/use-open-portal.ts';
import { useSubscribe } from '../model/use-subscribe.ts';
import { IntervalSwitch } from './interval-switch.tsx';
import { PlanAction } from './plan-action.tsx';
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
          saving={loading ? null : describeYearlySaving(plus.month, plus.year)}
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
