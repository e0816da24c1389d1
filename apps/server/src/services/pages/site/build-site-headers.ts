import { hashInline } from '../../../kernel/gateway/build-content-security-policy.ts';

/** The headers of a page of the site: nothing but what is written into it runs, and it talks to nobody else. */
export function buildSiteHeaders(html: string, siteUrl: string): Readonly<Record<string, string>> {
  const isSecure = siteUrl.startsWith('https:');
  return {
    'content-security-policy': [
      "default-src 'none'",
      `script-src ${hashInline(html, 'script').join(' ')}`,
      `style-src ${hashInline(html, 'style').join(' ')}`,
      "img-src 'self'",
      "font-src 'self'",
      // Nothing in the page asks for anything; what looks at it from inside, as Lighthouse does, reads robots.txt so.
      "connect-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      ...(isSecure ? ['upgrade-insecure-requests'] : []),
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(isSecure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}
