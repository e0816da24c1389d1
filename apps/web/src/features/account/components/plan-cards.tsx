import { formatNumber, formatPrice } from '@linkoteca/domain/format-number';
import type { Plan } from '@linkoteca/domain/plans';
import { PLAN_IDS, PLANS } from '@linkoteca/domain/plans';
import { Check } from 'lucide-react';
import { joinClassNames } from '../../../shared/lib/join-class-names.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { useSubscription } from '../api/use-subscription.ts';

/** The three plans with their prices and what they allow; the person's own is marked. */
export function PlanCards() {
  const { subscription } = useSubscription();
  return (
    <ul className="grid gap-4 lg:grid-cols-3">
      {PLAN_IDS.map((id) => (
        <PlanCard key={id} plan={PLANS[id]} current={subscription?.plan === id} />
      ))}
    </ul>
  );
}

function PlanCard({ plan, current }: { readonly plan: Plan; readonly current: boolean }) {
  return (
    <li
      className={joinClassNames(
        'flex flex-col gap-4 rounded-lg border bg-surface p-5',
        current ? 'border-accent' : 'border-line',
      )}
    >
      <div className="flex h-5 items-center justify-between">
        <h2 className="text-lg font-semibold">{plan.name}</h2>
        {current ? <Badge tone="accent">Seu plano</Badge> : null}
      </div>
      <div>
        <p className="tabular-nums">
          <span className="text-2xl font-semibold tracking-tight">{formatPrice(plan.monthlyPriceCents)}</span>{' '}
          <span className="text-base text-ink-soft">por mês</span>
        </p>
        <p className="mt-0.5 text-sm text-ink-faint tabular-nums">
          {plan.yearlyPriceCents > 0
            ? `ou ${formatPrice(plan.yearlyPriceCents)} por ano`
            : 'Grátis, sem prazo'}
        </p>
      </div>
      <ul className="flex flex-col gap-2 border-t border-line pt-4 text-base text-ink-soft">
        {describePlan(plan).map((line) => (
          <li key={line} className="flex gap-2.5">
            <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-accent-text" />
            {line}
          </li>
        ))}
      </ul>
    </li>
  );
}

function describePlan(plan: Plan): readonly string[] {
  return [
    plan.maxLinks === null ? 'Links sem limite' : `Até ${formatNumber(plan.maxLinks)} links`,
    plan.maxCategories === null
      ? 'Categorias sem limite'
      : `Até ${formatNumber(plan.maxCategories)} categorias`,
    'Pastas sem limite',
    plan.sharing ? 'Compartilhar categorias, em público ou com convidados' : 'Uso pessoal, sem compartilhar',
    plan.maxReceivedShares === null
      ? 'Abrir tudo o que compartilharem com você'
      : `Abrir ${formatNumber(plan.maxReceivedShares)} categoria compartilhada com você`,
  ];
}
