import { openSync } from '../_shared/open-stripe.ts';
import { readOperatorKeys } from '../_shared/operator-keys.ts';
import { createReconcileSubscriptions } from './create-reconcile-subscriptions.ts';

const read = (name: string) => Deno.env.get(name) ?? '';

// The server and a schedule call it, no page does: without CORS.
Deno.serve(
  createReconcileSubscriptions({
    ...openSync(fetch, read),
    operatorKeys: readOperatorKeys(read),
    now: () => Date.now(),
  }),
);
