/**
 * The address of the provider's page, when it may be gone to: encrypted, or one of our own origins (the payment emulator's pages
 * on a computer without a certificate). Anything else (`javascript:`, another site in the clear, no address) is null.
 * @param ownOrigins where this page comes from, and the services that it trusts with everything else.
 */
export function readDepartureAddress(value: unknown, ownOrigins: readonly string[]): string | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return null;
  const { protocol, origin, href } = new URL(value);
  return protocol === 'https:' || (protocol === 'http:' && ownOrigins.includes(origin)) ? href : null;
}
