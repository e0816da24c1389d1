import { PLAN_IDS, PLANS } from '@linkoteca/domain/plans';
import { Check, Minus } from 'lucide-react';
import { VisuallyHidden } from '../../../shared/ui/visually-hidden.tsx';
import type { ComparedValue } from '../model/plan-offer-messages.ts';
import { PLAN_COMPARISON, PLAN_OFFER_MESSAGES } from '../model/plan-offer-messages.ts';

/** What each plan allows, side by side. */
export function PlanComparison() {
  return (
    <section>
      <h2 className="text-lg font-semibold">{PLAN_OFFER_MESSAGES.comparison}</h2>
      <table className="mt-3 w-full text-base tabular-nums">
        <thead>
          <tr className="border-b border-line text-left">
            <td />
            {PLAN_IDS.map((id) => (
              <th key={id} scope="col" className="w-1/4 px-1.5 py-2.5 text-center font-medium">
                {PLANS[id].name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {PLAN_COMPARISON.map(({ name, values }) => (
            <tr key={name}>
              <th scope="row" className="py-2.5 pr-2 text-left font-medium text-ink-soft">
                {name}
              </th>
              {PLAN_IDS.map((id, index) => (
                <td key={id} className="px-1.5 py-2.5 text-center">
                  <Value value={values[index] ?? false} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Value({ value }: { readonly value: ComparedValue }) {
  if (typeof value === 'string') return value;
  const Icon = value ? Check : Minus;
  return (
    <>
      <Icon
        aria-hidden
        className={value ? 'mx-auto size-4 text-accent-text' : 'mx-auto size-4 text-ink-faint'}
      />
      <VisuallyHidden>
        {value ? PLAN_OFFER_MESSAGES.included : PLAN_OFFER_MESSAGES.notIncluded}
      </VisuallyHidden>
    </>
  );
}
