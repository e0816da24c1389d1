import { PAYMENT_REFUSALS } from '../../../packages/domain/src/payment-refusals.ts';
import { answerJson, refuse } from '../_shared/answer-json.ts';
import { answerPaymentFailure } from '../_shared/answer-payment-failure.ts';
import { readFields } from '../_shared/read-fields.ts';
import { readRole } from '../_shared/read-person.ts';
import { type ReconciliationDeps, reconcileSubscriptions } from './reconcile-subscriptions.ts';

/**
 * The function `reconcile-subscriptions`, with the service key alone: `POST` repairs what a lost webhook missed and answers `{checked, repaired, failed, complete}`.
 * `POST {"before"}` (RFC 3339) carries on a run that was not complete: customers who were asked for since then are left out.
 */
export function createReconcileSubscriptions(
  deps: ReconciliationDeps,
): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== 'POST') return refuse(405, PAYMENT_REFUSALS.method, { allow: 'POST' });
    if (readRole(request.headers) !== 'service_role')
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
