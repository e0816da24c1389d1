import { MoneyQuestions } from '../../features/account/components/money-questions.tsx';
import { PlanCards } from '../../features/account/components/plan-cards.tsx';
import { PlanComparison } from '../../features/account/components/plan-comparison.tsx';
import { PAYMENT_RETURN_MESSAGES } from '../../features/account/model/billing-messages.ts';
import { PLAN_OFFER_MESSAGES } from '../../features/account/model/plan-offer-messages.ts';
import { usePaymentReturn } from '../../features/account/model/use-payment-return.ts';
import { useDocumentTitle } from '../../shared/lib/browser/use-document-title.ts';
import { Spinner } from '../../shared/ui/feedback/spinner.tsx';
import { WaitingNotice } from '../organiser/limits/waiting-notice.tsx';
import { PageBody } from './page-body.tsx';

/** /plans: what the plans cost and allow, how to get them, and the way back from the payment provider. */
export function PlansPage() {
  useDocumentTitle('Planos');
  const confirming = usePaymentReturn() === 'success';
  return (
    <PageBody title="Planos" lead={PLAN_OFFER_MESSAGES.lead}>
      <div className="flex flex-col gap-8">
        <div className="flex flex-col gap-5">
          <WaitingNotice />
          {confirming ? <Spinner label={PAYMENT_RETURN_MESSAGES.checking} /> : null}
          <PlanCards closed={confirming} />
        </div>
        <PlanComparison />
        <MoneyQuestions />
      </div>
    </PageBody>
  );
}
