import { formatPrice } from '@linkoteca/domain/formats';
import { PLANS } from '@linkoteca/domain/plans';
import { Link } from '@tanstack/react-router';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { log } from '../../../shared/lib/log.ts';
import { useSingleFlight } from '../../../shared/lib/writes/use-single-flight.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { buttonClassName } from '../../../shared/ui/button-class-name.ts';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { useSyncSubscription } from '../api/change-subscription.ts';
import { describePaymentFailure } from '../api/payment-function.ts';
import { useSubscription } from '../api/subscription.ts';
import { type LinkUsage, useLinkUsage } from '../api/usage.ts';
import { BILLING_MESSAGES } from '../model/billing-messages.ts';
import { type LeavePage, useDeparture } from '../model/departure.ts';
import {
  describeSubscription,
  describeSubscriptionNotice,
  hasSubscription,
} from '../model/describe-subscription.ts';
import { PLAN_OFFER_MESSAGES } from '../model/plan-offer-messages.ts';
import type { Subscription } from '../model/resolve-plan.ts';
import { useOpenPortal } from '../model/use-open-portal.ts';
import { InvoiceSection } from './invoice-section.tsx';
import { UsageMeter } from './usage-meter.tsx';

/** 'Faturamento e Assinatura': the plan and how it stands, the provider's portal, the way to the plans, and the invoices. */
export function BillingPanel({ leavePage }: { readonly leavePage?: LeavePage }) {
  const { subscription, problem } = useSubscription();
  const usage = useLinkUsage();
  const departure = useDeparture(leavePage);
  const openPortal = useOpenPortal(departure);
  const notice = subscription && describeSubscriptionNotice(subscription, new Date());
  const paid = subscription !== null && subscription.plan !== 'free';
  const portal = (key: string) => ({
    busy: departure.leaving === key,
    busyLabel: BILLING_MESSAGES.opening,
    disabled: departure.leaving !== null && departure.leaving !== key,
    onClick: () => openPortal(key),
  });
  return (
    <section className="flex flex-col gap-4" aria-label={BILLING_MESSAGES.title}>
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
        <h2 className="text-lg font-semibold">{BILLING_MESSAGES.title}</h2>
        {paid ? <SyncButton /> : null}
      </div>
      {problem ? <Notice tone="warning">{problem}</Notice> : null}
      {notice ? (
        <Notice
          tone={notice.tone}
          action={
            notice.portal ? (
              <Button size="small" {...portal('notice')}>
                {notice.portal}
              </Button>
            ) : undefined
          }
        >
          {notice.text}
        </Notice>
      ) : null}
      {subscription ? (
        <>
          <SubscriptionCard subscription={subscription} usage={usage} />
          <div className="flex flex-wrap gap-2">
            <Link to="/plans" className={buttonClassName(paid ? 'secondary' : 'primary', 'large')}>
              {paid ? BILLING_MESSAGES.changePlan : BILLING_MESSAGES.seePaidPlans}
            </Link>
            {paid ? (
              <Button size="large" {...portal('manage')}>
                {BILLING_MESSAGES.manage}
              </Button>
            ) : null}
          </div>
          {subscription.customerId === null ? null : <InvoiceSection />}
        </>
      ) : (
        <Skeleton className="h-36 w-full" />
      )}
    </section>
  );
}

/** 'Sincronizar': compares the subscription with the payment provider now. */
function SyncButton() {
  const sync = useSyncSubscription();
  const [busy, setBusy] = useState(false);
  const press = useSingleFlight(async () => {
    setBusy(true);
    try {
      await sync();
      toast.success(BILLING_MESSAGES.synced);
    } catch (error) {
      log.warn('the subscription could not be compared', error);
      toast.error(BILLING_MESSAGES.subscriptionUpdateFailed, describePaymentFailure(error, ''));
    } finally {
      setBusy(false);
    }
  });
  return (
    <Button
      variant="quiet"
      busy={busy}
      busyLabel={BILLING_MESSAGES.syncing}
      icon={<RefreshCw aria-hidden className={busy ? 'animate-spin' : undefined} />}
      onClick={() => void press(undefined)}
    >
      {BILLING_MESSAGES.sync}
    </Button>
  );
}

interface SubscriptionCardProps {
  readonly subscription: Subscription;
  readonly usage: LinkUsage | null;
}

/** The plan that is subscribed to, what is really charged for it, how it stands and what is used of it. */
function SubscriptionCard({ subscription, usage }: SubscriptionCardProps) {
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
