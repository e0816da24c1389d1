import { PlanCards } from '../../features/account/components/plan-cards.tsx';
import { useDocumentTitle } from '../../shared/lib/use-document-title.ts';
import { Notice } from '../../shared/ui/notice.tsx';
import { PageBody } from './page-body.tsx';

/** /plans: what the plans cost and allow. Subscribing follows with the payment service. */
export function PlansPage() {
  useDocumentTitle('Planos');
  return (
    <PageBody
      title="Planos"
      lead="Mude quando precisar. Nada do que você guardou se perde ao trocar de plano."
    >
      <div className="flex flex-col gap-5">
        <Notice>A contratação dos planos pagos abre em breve. O plano Free não tem prazo para acabar.</Notice>
        <PlanCards />
      </div>
    </PageBody>
  );
}
