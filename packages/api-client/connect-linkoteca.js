import { createClient } from './generated/client/index.js';

/** Described in connect-linkoteca.d.ts. */
export function connectLinkoteca({ siteUrl, token, fetch }) {
  return createClient({
    baseUrl: new URL('api/v1', siteUrl.endsWith('/') ? siteUrl : `${siteUrl}/`).href,
    // The document names two ways to come by a token: one is asked for.
    auth: ({ key }) => (key !== 'token' ? undefined : typeof token === 'function' ? token() : token),
    // A token goes to the address that was named, and nowhere else.
    redirect: 'error',
    ...(fetch === undefined ? {} : { fetch }),
  });
}
