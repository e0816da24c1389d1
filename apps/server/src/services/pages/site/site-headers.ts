import { hashInline } from '../../../kernel/gateway/build-content-security-policy.ts';

/** Addresses that need an account, or answer programs: nothing for a search engine to read. */
const NOT_TO_READ = [
  '/auth/',
  '/rest/',
  '/realtime/',
  '/storage/',
  '/functions/',
  '/dashboard',
  '/category/',
  '/search',
  '/entrada',
  '/salvar',
  '/lixeira',
  '/profile',
  '/plans',
  '/redirect',
  '/share-target',
  '/test-realtime',
  '/unsubscribe',
  '/change-password',
];

/** robots.txt (RFC 9309). Shared pages may be read by whoever was given their address, and are listed nowhere. */
export function writeRobots(origin: string): string {
  const rules = NOT_TO_READ.map((path) => `Disallow: ${path}\n`).join('');
  return `User-agent: *\n${rules}\nSitemap: ${origin}/sitemap.xml\n`;
}

/** sitemap.xml (sitemaps.org, 0.9) of the site's own pages. What people share is theirs to make known. */
export function writeSitemap(origin: string, paths: readonly string[]): string {
  const entries = paths.map((path) => `<url><loc>${origin}${path}</loc></url>`).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries}
</urlset>
`;
}

/** The headers of a page of the site: nothing but what is written into it runs, and it talks to nobody else; its one form leads to the app. */
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
      "form-action 'self'",
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
