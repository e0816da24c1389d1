/** What the address says when a person arrives by a link of the auth service (mail or another provider). */
export type AuthLink =
  | { readonly kind: 'none' }
  /** The service refused the link; `code` is its error code, e.g. 'otp_expired'. */
  | { readonly kind: 'refused'; readonly code: string }
  /** The way back from another provider: with a code, or failed there, or with a code that was asked for in another browser. */
  | { readonly kind: 'provider'; readonly failed: boolean }
  /** A one-time code that the auth client exchanges for a session … */
  | { readonly kind: 'code' }
  /** … or cannot, because the flow began in another browser (PKCE keeps its secret there). */
  | { readonly kind: 'foreign-code'; readonly forReset: boolean };

/**
 * Reads the link before router and auth client tidy the address. `verifierSaved`: this browser keeps the secret of a
 * flow that it began. GoTrue puts errors into the fragment and, for PKCE, into the query too.
 */
export function readAuthLink(href: string, verifierSaved: boolean): AuthLink {
  const url = new URL(href);
  const fragment = new URLSearchParams(url.hash.slice(1));
  const code = (name: string) => url.searchParams.get(name) ?? fragment.get(name);
  const refused = code('error') ?? code('error_code');
  const hasCode = url.searchParams.has('code');
  if (url.searchParams.has('via') && (refused !== null || hasCode))
    return { kind: 'provider', failed: refused !== null || !verifierSaved };
  if (refused) {
    return { kind: 'refused', code: code('error_code') ?? code('error') ?? '' };
  }
  if (!hasCode) return { kind: 'none' };
  if (verifierSaved) return { kind: 'code' };
  // The mail's link names the page it leads to, and only a reset leads there.
  return { kind: 'foreign-code', forReset: url.pathname === '/change-password' };
}

/** The link came too late or a second time: another one can be asked for. */
export function isExpiredLink(link: AuthLink): boolean {
  return link.kind === 'code' || (link.kind === 'refused' && /^(otp_expired$|flow_state_)/.test(link.code));
}
