import { PLAN_OFFER_MESSAGES } from '@linkoteca/domain/plan-offer-messages';
import { MoneyQuestions } from '../../features/account/components/money-questions.tsx';
import { PaymentReturnNotice } from '../../features/account/components/payment-return-notice.tsx';
import { PlanCards } from '../../features/account/components/plan-cards.tsx';
import { PlanComparison } from '../../features/account/components/plan-comparison.tsx';
import { useDocumentTitle } from '../../shared/lib/use-document-title.ts';
import { PageBody } from './page-body.tsx';

/** /plans: what the plans cost and allow, how to get them, and the way back from the payment provider. */
export function PlansPage() {
  useDocumentTitle('Planos');
  return (
    <PageBody title="Planos" lead={PLAN_OFFER_MESSAGES.lead}>
      <div className="flex flex-col gap-8">
        <div className="flex flex-col gap-5">
          <PaymentReturnNotice />
          <PlanCards />
        </div>
        <PlanComparison />
        <MoneyQuestions />
      </div>
    </PageBody>
  );
}
