import type { Transaction } from '../../../kernel/database.ts';
import { AuthError } from '../auth-error.ts';
import type { AuthSettings } from '../auth-settings.ts';
import { returnPoints, type Spending, spendPoints } from '../stores/spend-points.ts';

/** What is guessed at: each has counts of its own, so that whoever uses one up leaves the other. */
export type Guessable = 'app' | 'phone' | 'key' | 'recovery code';

function listSpendings(settings: AuthSettings, what: Guessable, userId: string): readonly Spending[] {
  return [
    { key: `second factor ${what} ${userId}`, ...settings.failedFactorsShort },
    { key: `second factor ${what} day ${userId}`, ...settings.failedFactorsPerDay },
  ].filter(({ points, seconds }) => points > 0 && seconds > 0);
}

/**
 * Counts an attempt at an account's second factors, whichever of them and from wherever, for all copies of the server. Count before the code
 * is compared, and in a transaction that is committed when it is wrong: those that come at the same time wait for each other.
 * @returns the refusal when there were too many
 */
export async function countFactorAttempt(
  tx: Transaction,
  settings: AuthSettings,
  { what, userId }: { readonly what: Guessable; readonly userId: string },
  now: Date,
): Promise<AuthError | undefined> {
  const over = await spendPoints(tx, listSpendings(settings, what, userId), now);
  if (over.length === 0) return undefined;
  // What is refused unseen is no attempt: whoever goes on knocking does not use the day up.
  await forgiveFactorAttempt(tx, settings, { what, userId });
  const retryAfter = Math.max(...over.map(({ secondsLeft }) => secondsLeft));
  return what === 'recovery code'
    ? new AuthError('mfa_recovery_codes_locked', { retryAfter })
    : new AuthError('over_request_rate_limit', { retryAfter });
}

/** The attempt was right and shall not count. */
export async function forgiveFactorAttempt(
  tx: Transaction,
  settings: AuthSettings,
  { what, userId }: { readonly what: Guessable; readonly userId: string },
): Promise<void> {
  await returnPoints(
    tx,
    listSpendings(settings, what, userId).map(({ key }) => key),
  );
}
