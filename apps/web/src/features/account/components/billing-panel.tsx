import { formatPrice } from '@linkoteca/domain/format-number';
import { PLANS } from '@linkoteca/domain/plans';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../../shared/ui/badge.tsx';
import { buttonClassName } from '../../../shared/ui/button-class-name.ts';
import { Notice } from '../../../shared/ui/notice.tsx';
import { Skeleton } from '../../../shared/ui/skeleton.tsx';
import { useLinkUsage } from '../api/use-link-usage.ts';
import { useSubscription } from '../api/use-subscription.ts';
import { describeSubscription } from '../model/describe-subscription.ts';
import { UsageMeter } from './usage-meter.tsx';

/** 'Faturamento e Assinatura': the plan, what is used of it, and the way to the plans. */
export function BillingPanel() {
  const { subscription, problem } = useSubscription();
  const usage = useLinkUsage();
  const plan = subscription ? PLANS[subscription.plan] : null;
  const state = subscription ? describeSubscription(subscription) : null;
  return (
    <section className="flex flex-col gap-4" aria-label="Faturamento e Assinatura">
      <h2 className="text-lg font-semibold">Faturamento e Assinatura</h2>
      {problem ? <Notice tone="warning">{problem}</Notice> : null}
      <div className="flex flex-col gap-4 rounded-lg border border-line bg-paper p-4">
        {plan ? (
          <div className="flex flex-wrap items-center justify-between gap-2">
            <div className="flex items-center gap-2">
              <p className="text-lg font-semibold">Plano {plan.name}</p>
              <Badge tone={plan.id === 'free' ? 'neutral' : 'accent'}>Seu plano</Badge>
            </div>
            <p className="text-base text-ink-soft tabular-nums">
              {formatPrice(plan.monthlyPriceCents)} por mês
            </p>
            {state ? <p className="w-full text-sm text-ink-soft">{state}</p> : null}
          </div>
        ) : (
          <Skeleton className="h-6 w-40" />
        )}
        <UsageMeter usage={usage} />
      </div>
      {plan ? (
        <Link
          to="/plans"
          className={`${buttonClassName(plan.id === 'free' ? 'primary' : 'secondary', 'large')} self-start`}
        >
          {plan.id === 'free' ? 'Ver planos pagos' : 'Alterar Plano'}
        </Link>
      ) : null}
    </section>
  );
}
