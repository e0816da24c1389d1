import type { Ledger } from '../ledger/ledger.ts';
import type { Parameters } from './parameters.ts';
import { invalidParameter } from './stripe-failure.ts';

const DAY_SECONDS = 86_400;
const MAX_TRIAL_DAYS = 730;

/** `trial_period_days` or `trial_end`; null: no trial. Seconds since 1970. */
export function readTrialEnd(ledger: Ledger, parameters: Parameters): number | null {
  const days = parameters.integer('trial_period_days');
  if (days !== undefined) {
    if (days < 1 || days > MAX_TRIAL_DAYS)
      throw invalidParameter(
        'trial_period_days',
        `Trial period days must be between 1 and ${MAX_TRIAL_DAYS}.`,
      );
    return Math.floor(ledger.time) + days * DAY_SECONDS;
  }
  if (parameters.text('trial_end') === 'now') return null;
  const end = parameters.integer('trial_end');
  if (end === undefined) return null;
  if (end <= ledger.time)
    throw invalidParameter(
      'trial_end',
      'Invalid timestamp: must be an integer Unix timestamp in the future.',
    );
  return end;
}
