import { formatPrice } from '@linkoteca/domain/formats';
import type { BillingInterval, Plan } from '@linkoteca/domain/plans';
import { Check, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { BILLING_MESSAGES } from '../model/billing-messages.ts';
import { describePlan, OTHER_PERIOD, PLAN_OFFER_MESSAGES } from '../model/plan-offer-messages.ts';
import type { PlanPrices } from '../model/prices.ts';

interface PlanCardProps {
  readonly plan: Plan;
  readonly interval: BillingInterval;
  /** null while nothing is known: no figure is shown that another might replace. */
  readonly prices: PlanPrices | null;
  /** The person's own plan. */
  readonly own: boolean;
  /** How the person's own plan is charged, where that is known. */
  readonly ownInterval: BillingInterval | null;
  /** What can be done about it. */
  readonly children: ReactNode;
}

/** A plan: its price, what can be done about it, and what it allows. */
export function PlanCard({ plan, interval, prices, own, ownInterval, children }: PlanCardProps) {
  return (
    <li
      className={joinClassNames(
        'flex flex-col gap-4 rounded-lg border bg-surface p-5',
        own ? 'border-accent' : 'border-line',
      )}
    >
      <div className="flex h-5 items-center gap-2">
        <h2 className="flex-1 text-lg font-semibold">{plan.name}</h2>
        {own && ownInterval ? <Badge>{PLAN_OFFER_MESSAGES.paid[ownInterval]}</Badge> : null}
        {own ? <Badge tone="accent">{BILLING_MESSAGES.yourPlan}</Badge> : null}
      </div>
      {prices ? (
        <PriceLines prices={prices} interval={interval} />
      ) : (
        <div className="flex flex-col gap-1.5" aria-busy>
          <Skeleton className="h-8 w-40" />
          <Skeleton className="h-4 w-32" />
        </div>
      )}
      {children}
      <ul className="flex flex-col gap-2 border-t border-line pt-4 text-base text-ink-soft">
        {describePlan(plan).map(({ text, included }) => (
          <li key={text} className="flex gap-2.5">
            {included ? (
              <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-accent-text" />
            ) : (
              <Minus aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-faint" />
            )}
            {text}
          </li>
        ))}
      </ul>
    </li>
  );
}

function PriceLines({
  prices,
  interval,
}: {
  readonly prices: PlanPrices;
  readonly interval: BillingInterval;
}) {
  const { month, year, currency, sold } = prices;
  const isFree = month === 0;
  if (!isFree && !sold[interval]) return null;
  return (
    <div>
      <p className="tabular-nums">
        <span className="text-2xl font-semibold tracking-tight">
          {formatPrice(interval === 'month' ? month : year, currency)}
        </span>{' '}
        {isFree ? null : <span className="text-base text-ink-soft">{PLAN_OFFER_MESSAGES.per[interval]}</span>}
      </p>
      <p className="mt-0.5 text-sm text-ink-faint tabular-nums">
        {isFree
          ? PLAN_OFFER_MESSAGES.free
          : sold.month && sold.year && OTHER_PERIOD[interval](month, year, currency)}
      </p>
    </div>
  );
}
