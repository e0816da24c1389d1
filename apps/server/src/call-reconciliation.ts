import type { Server } from 'node:http';
import { findOwnUrl } from './find-own-url.ts';
import type { ReconciliationReport } from './schedule-reconciliation.ts';

/** The function answers after a minute and a half, with what it is at then done. */
const PATIENCE_MS = 180_000;

/**
 * Calls the function, which knows the payment provider: the same that a schedule calls on the hosted platform.
 * @throws when it does not answer, or says that it could not.
 */
export async function callReconciliation(
  server: Pick<Server, 'address'>,
  serviceRoleKey: string,
  before: Date,
): Promise<ReconciliationReport> {
  const response = await fetch(`${findOwnUrl(server)}/functions/v1/reconcile-subscriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${serviceRoleKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ before: before.toISOString() }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!response.ok) throw new Error(`reconcile-subscriptions: status ${response.status}`);
  return (await response.json()) as ReconciliationReport;
}
