import { Stripe } from 'stripe';

/** How old a signature may be, in seconds: what Stripe's own libraries allow. */
const TOLERANCE_SECONDS = 300;

/**
 * The event in a body that Stripe has signed with one of the secrets; several are good while one replaces the other.
 * @returns undefined when none did, or long ago.
 */
export async function verifyEvent(
  stripe: Stripe,
  body: Uint8Array,
  signature: string,
  secrets: readonly string[],
): Promise<Stripe.Event | undefined> {
  const crypto = Stripe.createSubtleCryptoProvider();
  for (const secret of secrets) {
    try {
      return await stripe.webhooks.constructEventAsync(body, signature, secret, TOLERANCE_SECONDS, crypto);
    } catch {
      // The next secret may be the one. What is signed and is no JSON is no event either.
    }
  }
  return undefined;
}
