/** Where the link of the confirmation mail leads, and from there back to where the person came `from`. */
export function confirmationAddress(from: string | undefined): string {
  return loginAddress(from === undefined ? {} : { from });
}

/** What the way back from an organisation says that it is. */
export const ORGANISATION = 'organisation';

/** Where a provider sends people back to; `via` tells a refusal there from a mail's link that has expired. */
export function providerReturnAddress(provider: string, from: string | undefined): string {
  return loginAddress({ ...(from === undefined ? {} : { from }), via: provider });
}

/** Where the link of the reset mail leads; `by=token`: the page spends the token itself, in whatever browser. */
export function resetAddress(): string {
  return `${window.location.origin}/change-password?by=token`;
}

function loginAddress(query: Record<string, string>): string {
  const url = new URL('/login', window.location.origin);
  url.search = new URLSearchParams(query).toString();
  return url.href;
}
