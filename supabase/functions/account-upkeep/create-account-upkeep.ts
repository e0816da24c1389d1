import type { Stripe } from 'stripe';
import { ACCOUNT_LIFE_REFUSALS } from '../../../packages/domain/src/account-life-messages.ts';
import { PAYMENT_REFUSALS } from '../../../packages/domain/src/payment-refusals.ts';
import { answerJson, refuse } from '../_shared/answer-json.ts';
import { answerPaymentFailure } from '../_shared/answer-payment-failure.ts';
import { callAsService } from '../_shared/call-as-service.ts';
import { isOperator } from '../_shared/operator-keys.ts';
import { type AccountMailSender, sendAccountMails } from '../_shared/send-account-mails.ts';
import { cancelForClosedAccounts, purgeAccounts } from './purge-accounts.ts';

export type AccountUpkeepDeps = AccountMailSender & {
  readonly operatorKeys: readonly string[];
  readonly openStripe: () => Stripe;
  /** Milliseconds. */
  readonly now: () => number;
  readonly budgetMs?: number;
};

/** The hosted platform ends a call that has not answered for 150 s. */
const BUDGET_MS = 60_000;
const WARN_BATCH = 5_000;
const SUSPEND_BATCH = 1_000;

/**
 * The function `account-upkeep`, with one of the operator's keys alone: `POST` does what is due for accounts that are unused or closed, and
 * answers `{warned, suspended, purged, failed, mailed, complete}`. Any number may run; each account is taken by one. What is left when the
 * time is up (`complete: false`) is for the next call.
 */
export function createAccountUpkeep(deps: AccountUpkeepDeps): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== 'POST') return refuse(405, PAYMENT_REFUSALS.method, { allow: 'POST' });
    if (!(await isOperator(request.headers, deps.operatorKeys)))
      return refuse(403, ACCOUNT_LIFE_REFUSALS.operator);
    try {
      const report = await runRound(deps);
      console.info('accounts looked after', report);
      return answerJson(200, report);
    } catch (error) {
      return answerPaymentFailure(error);
    }
  };
}

async function runRound(deps: AccountUpkeepDeps) {
  const { access, openStripe, now, budgetMs = BUDGET_MS } = deps;
  const endsAt = now() + budgetMs;
  let complete = true;
  const mayGoOn = () => {
    if (now() >= endsAt) complete = false;
    return complete;
  };
  const repeat = async (name: string, max: number) => {
    let total = 0;
    while (mayGoOn()) {
      const count = Number(await callAsService(access, name, { max }));
      total += count;
      if (count === 0) break;
    }
    return total;
  };
  // Nobody waits longer for their deletion than for anything else.
  const { purged, failed } = await purgeAccounts({ access, openStripe, mayGoOn });
  const stillCharged = await cancelForClosedAccounts({ access, openStripe, mayGoOn });
  const warned = await repeat('warn_inactive_accounts', WARN_BATCH);
  const suspended = await repeat('suspend_inactive_accounts', SUSPEND_BATCH);
  const mailed = await sendAccountMails(deps);
  return { warned, suspended, purged, failed: failed + stillCharged, mailed, complete };
}
