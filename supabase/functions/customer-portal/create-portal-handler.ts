import type { Stripe } from 'stripe';
import { answerJson, refuse } from '../_shared/answer-json.ts';
import { forPerson, isMissing } from '../_shared/answer-payment-failure.ts';
import { findBillingAccount } from '../_shared/find-billing-account.ts';
import { PAYMENT_REFUSALS } from '../_shared/payment-refusals.ts';
import { readFields } from '../_shared/read-body.ts';
import { findReturnAddress, type ReturnPlaces } from '../_shared/return-addresses.ts';

export type PortalDeps = {
  readonly stripe: Stripe;
  readonly places: ReturnPlaces;
  readonly fetch: typeof fetch;
  readonly supabaseUrl: string;
  readonly anonKey: string;
};

/** The specification's place to come back to (section 7). */
const BILLING_TAB = '/profile?tab=billing';

/**
 * The function `customer-portal` (specification, section 7): `POST {"returnUrl"}` answers `{"url"}` of the provider's portal, always the
 * caller's own. 404 for whoever never bought anything.
 */
export function createPortalHandler(deps: PortalDeps): (request: Request) => Promise<Response> {
  return forPerson('POST', async (request, { id, authorization }) => {
    const fields = await readFields(request);
    if (fields === undefined) return refuse(400, PAYMENT_REFUSALS.malformed);
    const { returnUrl = `${deps.places.siteUrl}${BILLING_TAB}` } = fields;
    const page = findReturnAddress(deps.places, returnUrl);
    if (page === undefined) return refuse(400, PAYMENT_REFUSALS.returnAddress);

    const { fetch, supabaseUrl: url, anonKey: key } = deps;
    const account = await findBillingAccount({ fetch, url, key, authorization }, id);
    if (account === undefined) return refuse(401, PAYMENT_REFUSALS.signIn);
    if (account.customerId === undefined) return refuse(404, PAYMENT_REFUSALS.noCustomer);
    return await openPortal(deps.stripe, account.customerId, page.href);
  });
}

async function openPortal(stripe: Stripe, customer: string, return_url: string): Promise<Response> {
  try {
    const { url } = await stripe.billingPortal.sessions.create({ customer, return_url, locale: 'pt-BR' });
    return answerJson(200, { url });
  } catch (error) {
    if (isMissing(error)) return refuse(404, PAYMENT_REFUSALS.noCustomer);
    throw error;
  }
}
