import type { Stripe } from 'stripe';
import { answerJson, refuse } from '../_shared/answer-json.ts';
import { answerPaymentFailure, describeFailure } from '../_shared/answer-payment-failure.ts';
import { isOperator } from '../_shared/operator-keys.ts';
import { PAYMENT_REFUSALS } from '../_shared/payment-refusals.ts';
import { readFields } from '../_shared/read-body.ts';
import { type SyncDeps, syncCustomer } from '../_shared/sync-customer.ts';

/**
 * The function `reconcile-subscriptions`, with one of the operator's keys alone: `POST` repairs what a lost webhook missed and answers `{checked, repaired, failed, complete}`.
 * `POST {"before"}` (RFC 3339) carries on a run that was not complete: customers who were asked for since then are left out.
 * `POST {"since"}` finds whoever has bought since then and is unknown here, in place of a week.
 */
export function createReconcileSubscriptions(
  deps: ReconciliationDeps & { readonly operatorKeys: readonly string[] },
): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== 'POST') return refuse(405, PAYMENT_REFUSALS.method, { allow: 'POST' });
    if (!(await isOperator(request.headers, deps.operatorKeys)))
      return refuse(403, 'Só o próprio servidor pode conferir as assinaturas');
    const fields = (await readFields(request)) ?? {};
    const before = new Date(String(fields['before'] ?? new Date(deps.now()).toISOString()));
    const since = new Date(String(fields['since'] ?? new Date(deps.now() - RECENT_MS).toISOString()));
    if ([before, since].some((moment) => Number.isNaN(moment.getTime())))
      return refuse(400, PAYMENT_REFUSALS.malformed);
    try {
      const report = await reconcileSubscriptions(deps, before, since);
      deps.info('subscriptions reconciled', report);
      return answerJson(200, report);
    } catch (error) {
      return answerPaymentFailure(error);
    }
  };
}

type ReconciliationDeps = SyncDeps & {
  readonly stripe: Stripe;
  /** Milliseconds. */
  readonly now: () => number;
  readonly budgetMs?: number;
};

type ReconciliationReport = {
  readonly checked: number;
  readonly repaired: number;
  /** Could not be asked for; the next run begins with those that have waited longest. */
  readonly failed: number;
  /** Whether everybody was asked for. */
  readonly complete: boolean;
};

/** The hosted platform ends a call that has not answered for 150 s; one customer may take half a minute when Stripe is slow. */
const BUDGET_MS = 90_000;
/** A test key may ask 25 times a second, and a customer takes four questions. */
const AT_ONCE = 4;
const PAGE = 100;
/** So many in a row, and the provider or the database is away: there is no use in going on. */
const MAX_FAILURES_IN_A_ROW = 8;
/** Customers whose very claim was lost are found by their subscriptions, as long as a week after the purchase. */
const RECENT_MS = 7 * 86_400_000;

/**
 * Asks for every customer who was not asked for since `before`, and for those who have bought something since `since` and are nobody's yet.
 * @throws when the database, or the list of new subscriptions, cannot be asked.
 */
async function reconcileSubscriptions(
  deps: ReconciliationDeps,
  before: Date,
  since: Date,
): Promise<ReconciliationReport> {
  const run = startRun(deps);
  while (run.mayGoOn()) {
    const stale = await deps.store.listStale(before, PAGE);
    if (!(await run.check(stale))) break;
  }
  if (run.mayGoOn()) await run.check(await listRecentCustomers(deps.stripe, since));
  await deps.store.purge();
  return run.report();
}

function startRun(deps: ReconciliationDeps) {
  const { now, budgetMs = BUDGET_MS, warn } = deps;
  const endsAt = now() + budgetMs;
  const seen = new Set<string>();
  let [repaired, failed, failedInARow] = [0, 0, 0];
  let isCutShort = false;

  async function checkOne(customerId: string): Promise<void> {
    seen.add(customerId);
    try {
      const outcome = await syncCustomer(deps, customerId);
      if (outcome === 'missing') failed += 1;
      if (outcome === 'changed') repaired += 1;
      failedInARow = 0;
    } catch (error) {
      failed += 1;
      failedInARow += 1;
      warn('a customer could not be reconciled', { customerId, ...describeFailure(error) });
    }
  }

  function mayGoOn(): boolean {
    const may = now() < endsAt && failedInARow < MAX_FAILURES_IN_A_ROW;
    if (!may) isCutShort = true;
    return may;
  }

  return {
    mayGoOn,
    /** @returns whether any of them was new. */
    async check(customerIds: readonly string[]): Promise<boolean> {
      const fresh = [...new Set(customerIds)].filter((id) => !seen.has(id));
      for (let at = 0; at < fresh.length && mayGoOn(); at += AT_ONCE)
        await Promise.all(fresh.slice(at, at + AT_ONCE).map(checkOne));
      return fresh.length > 0;
    },
    report: (): ReconciliationReport => ({ checked: seen.size, repaired, failed, complete: !isCutShort }),
  };
}

async function listRecentCustomers(stripe: Stripe, since: Date): Promise<string[]> {
  const gte = Math.floor(since.getTime() / 1000);
  const found: string[] = [];
  for await (const { customer } of stripe.subscriptions.list({ status: 'all', created: { gte }, limit: 100 }))
    found.push(typeof customer === 'string' ? customer : customer.id);
  return found;
}
