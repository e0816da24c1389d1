import type { ApiRoute } from './api-route.ts';
import { CATALOGUE_ROUTES } from './routes/catalogue-routes.ts';
import { CHECKOUT_ROUTES } from './routes/checkout-routes.ts';
import { CUSTOMER_ROUTES } from './routes/customer-routes.ts';
import { INVOICE_ROUTES } from './routes/invoice-routes.ts';
import { PORTAL_ROUTES } from './routes/portal-routes.ts';
import { REFUND_ROUTES } from './routes/refund-routes.ts';
import { SUBSCRIPTION_ROUTES } from './routes/subscription-routes.ts';
import { TEST_CLOCK_ROUTES } from './routes/test-clock-routes.ts';

type Matcher = { readonly route: ApiRoute; readonly pattern: RegExp };

/** Words before ids: `/v1/customers/search` is no customer. The routes of each file keep that order. */
const MATCHERS: readonly Matcher[] = [
  ...CUSTOMER_ROUTES,
  ...SUBSCRIPTION_ROUTES,
  ...INVOICE_ROUTES,
  ...REFUND_ROUTES,
  ...CHECKOUT_ROUTES,
  ...PORTAL_ROUTES,
  ...TEST_CLOCK_ROUTES,
  ...CATALOGUE_ROUTES,
].map((route) => ({ route, pattern: new RegExp(`^${route.path.replaceAll(':id', '([^/]+)')}$`) }));

/** The route that answers, and the ids in the address. */
export function findRoute(
  method: string,
  path: string,
): { route: ApiRoute; ids: readonly string[] } | undefined {
  for (const { route, pattern } of MATCHERS) {
    if (route.method !== method) continue;
    const match = pattern.exec(path);
    if (match) return { route, ids: match.slice(1).map((id) => safeDecode(id)) };
  }
  return undefined;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
