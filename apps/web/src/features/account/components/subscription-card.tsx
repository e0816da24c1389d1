import { BILLING_MESSAGES } from '@linkoteca/domain/billing-messages';
import { formatPrice } from '@linkoteca/domain/format-number';
import { PLAN_OFFER_MESSAGES } from '@linkoteca/domain/plan-offer-messages';
import { PLANS } from '@linkoteca/domain/plans';
import { Badge } from '../../../shared/ui/badge.tsx';
import type { LinkUsage } from '../api/use-link-usage.ts';
import { describeSubscription } from '../model/describe-subscription.ts';
import { hasSubscription } from '../model/has-subscription.ts';
import type { Subscription } from '../model/resolve-plan.ts';
import { UsageMeter } from './usage-meter.tsx';

interface SubscriptionCardProps {
  readonly subscription: Subscription;
  readonly usage: LinkUsage | null;
}

/** The plan that is subscribed to, what is really charged for it, how it stands and what is used of it. */
export function SubscriptionCard({ subscription, usage }: SubscriptionCardProps) {
  const plan = PLANS[subscription.plan];
  const state = describeSubscription(subscription);
  const runs = hasSubscription(subscription);
  return (
    <div className="flex flex-col gap-4 rounded-lg border border-line bg-paper p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <div className="flex items-center gap-2">
          <p className="text-lg font-semibold">Plano {plan.name}</p>
          {runs || plan.id === 'free' ? (
            <Badge tone={runs ? 'accent' : 'neutral'}>{BILLING_MESSAGES.yourPlan}</Badge>
          ) : null}
        </div>
        {runs || plan.id === 'free' ? (
          <p className="text-base text-ink-soft tabular-nums">{describeCharge(subscription)}</p>
        ) : null}
        {state ? <p className="w-full text-sm text-ink-soft">{state}</p> : null}
      </div>
      <UsageMeter usage={usage} />
    </div>
  );
}

/** What the record says is charged; the table's figures where it says nothing. */
function describeCharge({ plan, interval, amountCents, currency }: Subscription): string {
  const period = interval ?? 'month';
  const { monthlyPriceCents, yearlyPriceCents } = PLANS[plan];
  const price =
    plan !== 'free' && amountCents !== null && currency
      ? formatPrice(amountCents, currency)
      : formatPrice(period === 'month' ? monthlyPriceCents : yearlyPriceCents);
  return `${price} ${PLAN_OFFER_MESSAGES.per[period]}`;
}
