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
