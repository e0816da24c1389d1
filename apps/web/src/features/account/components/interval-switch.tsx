import type { BillingInterval } from '@linkoteca/domain/billing-interval';
import { BILLING_INTERVALS } from '@linkoteca/domain/billing-interval';
import { PLAN_OFFER_MESSAGES } from '@linkoteca/domain/plan-offer-messages';
import { joinClassNames } from '../../../shared/lib/join-class-names.ts';
import { Badge } from '../../../shared/ui/badge.tsx';

interface IntervalSwitchProps {
  readonly value: BillingInterval;
  /** What a year saves, in words; null for nothing. */
  readonly saving: string | null;
  readonly onChange: (interval: BillingInterval) => void;
}

/** By the month or by the year. */
export function IntervalSwitch({ value, saving, onChange }: IntervalSwitchProps) {
  return (
    <fieldset
      aria-label={PLAN_OFFER_MESSAGES.intervals}
      className="inline-flex self-start rounded border border-edge-soft bg-surface p-0.5"
    >
      {BILLING_INTERVALS.map((interval) => (
        <button
          key={interval}
          type="button"
          aria-pressed={interval === value}
          onClick={() => onChange(interval)}
          className={joinClassNames(
            'inline-flex h-8 items-center gap-2 rounded-sm px-3 text-base font-medium transition-colors pointer-coarse:h-11',
            interval === value ? 'bg-press text-ink' : 'text-ink-soft hover:text-ink',
          )}
        >
          {PLAN_OFFER_MESSAGES.interval[interval]}{' '}
          {interval === 'year' && saving ? <Badge tone="accent">{saving}</Badge> : null}
        </button>
      ))}
    </fieldset>
  );
}
