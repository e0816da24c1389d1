import { PAYMENT_REFUSALS } from '../../../packages/domain/src/payment-refusals.ts';
import { answerJson, refuse } from '../_shared/answer-json.ts';
import { answerPaymentFailure } from '../_shared/answer-payment-failure.ts';
import { isOperator } from '../_shared/operator-keys.ts';
import { readFields } from '../_shared/read-fields.ts';
import { type ReconciliationDeps, reconcileSubscriptions } from './reconcile-subscriptions.ts';

/**
 * The function `reconcile-subscriptions`, with one of the operator's keys alone: `POST` repairs what a lost webhook missed and answers `{checked, repaired, failed, complete}`.
 * `POST {"before"}` (RFC 3339) carries on a run that was not complete: customers who were asked for since then are left out.
 */
export function createReconcileSubscriptions(
  deps: ReconciliationDeps & { readonly operatorKeys: readonly string[] },
): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== 'POST') return refuse(405, PAYMENT_REFUSALS.method, { allow: 'POST' });
    if (!(await isOperator(request.headers, deps.operatorKeys)))
      return refuse(403, 'Só o próprio servidor pode conferir as assinaturas');
    const { before: text = new Date(deps.now()).toISOString() } = (await readFields(request)) ?? {};
    const before = new Date(String(text));
    if (Number.isNaN(before.getTime())) return refuse(400, PAYMENT_REFUSALS.malformed);
    try {
      const report = await reconcileSubscriptions(deps, before);
      deps.info('subscriptions reconciled', report);
      return answerJson(200, report);
    } catch (error) {
      return answerPaymentFailure(error);
    }
  };
}
