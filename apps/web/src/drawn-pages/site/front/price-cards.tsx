import { formatCount, formatPrice } from '@linkoteca/domain/formats';
import { PLAN_IDS, PLANS, type Plan } from '@linkoteca/domain/plans';
import { SectionHeading } from './section-heading.tsx';

/** Plain prices, from the one table of plans. */
export function PriceCards() {
  return (
    <section id="precos" className="below mx-auto max-w-page px-6 py-16 md:px-8 md:py-24">
      <SectionHeading title="Preços sem letra miúda">
        Comece de graça e fique quanto quiser. Se um dia precisar de mais estantes, troque de plano: o que
        passou do limite nunca some, e você tem 14 dias para receber tudo de volta.
      </SectionHeading>
      <ul className="mt-10 grid gap-4 md:grid-cols-3">
        {PLAN_IDS.map((id) => (
          <PriceCard key={id} plan={PLANS[id]} />
        ))}
      </ul>
    </section>
  );
}

function PriceCard({ plan }: { readonly plan: Plan }) {
  const isFree = plan.monthlyPriceCents === 0;
  return (
    <li className="rounded-lg border border-line bg-surface p-6">
      <h3 className="text-lg font-semibold text-ink">{plan.name}</h3>
      <p className="mt-3 text-ink">
        <span className="display text-2xl tabular-nums">{formatPrice(plan.monthlyPriceCents)}</span>
        <span className="text-base text-ink-soft"> por mês</span>
      </p>
      <p className="mt-1 text-base text-ink-faint">
        {isFree ? 'para sempre' : `ou ${formatPrice(plan.yearlyPriceCents)} por ano`}
      </p>
      <ul className="mt-5 space-y-2.5 border-t border-line pt-5">
        {listContents(plan).map((content) => (
          <li key={content} className="ticked text-base text-ink-soft">
            {content}
          </li>
        ))}
      </ul>
    </li>
  );
}

function listContents({ maxLinks, maxCategories, maxReceivedShares, sharing }: Plan): string[] {
  return [
    maxLinks === null ? 'Links sem limite' : formatCount(maxLinks, 'link', 'links'),
    maxCategories === null ? 'Categorias sem limite' : formatCount(maxCategories, 'categoria', 'categorias'),
    'Pastas sem limite',
    maxReceivedShares === null
      ? 'Abre tudo o que compartilharem com você'
      : `Abre ${formatCount(maxReceivedShares, 'categoria compartilhada', 'categorias compartilhadas')} com você`,
    ...(sharing ? ['Compartilhamento público ou por e-mail', 'Importar e exportar favoritos'] : []),
  ];
}
