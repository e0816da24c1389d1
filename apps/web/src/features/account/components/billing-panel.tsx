import { BILLING_MESSAGES } from '@linkoteca/domain/billing-messages';
import { Link } from '@tanstack/react-router';
import { Button } from '../../../shared/ui/button.tsx';
import { buttonClassName } from '../../../shared/ui/button-class-name.ts';
import { Notice } from '../../../shared/ui/notice.tsx';
import { Skeleton } from '../../../shared/ui/skeleton.tsx';
import { useLinkUsage } from '../api/use-link-usage.ts';
import { useSubscription } from '../api/use-subscription.ts';
import { describeSubscriptionNotice } from '../model/describe-subscription-notice.ts';
import type { LeavePage } from '../model/use-departure.ts';
import { useDeparture } from '../model/use-departure.ts';
import { useOpenPortal } from '../model/use-open-portal.ts';
import { InvoiceSection } from './invoice-section.tsx';
import { SubscriptionCard } from './subscription-card.tsx';
import { SyncButton } from './sync-button.tsx';

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
