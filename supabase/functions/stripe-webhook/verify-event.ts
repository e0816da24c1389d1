import { Stripe } from 'stripe';

/** How old a signature may be, in seconds: what Stripe's own libraries allow. */
const TOLERANCE_SECONDS = 300;

/**
 * The event in a body that Stripe has signed with one of the secrets; several are good while one replaces the other.
 * @returns undefined when none did, or long ago, or what they signed is no event.
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
      const event: unknown = await stripe.webhooks.constructEventAsync(
        body,
        signature,
        secret,
        TOLERANCE_SECONDS,
        crypto,
      );
      return isEvent(event) ? event : undefined;
    } catch {
      // The next secret may be the one. What is signed and is no JSON is no event either.
    }
  }
  return undefined;
}

function isEvent(value: unknown): value is Stripe.Event {
  if (typeof value !== 'object' || value === null) return false;
  const { id, type, created, data } = value as Readonly<Record<string, unknown>>;
  if (typeof id !== 'string' || typeof type !== 'string' || !Number.isSafeInteger(created)) return false;
  const object = (data as { readonly object?: unknown } | null | undefined)?.object;
  return typeof object === 'object' && object !== null;
}
