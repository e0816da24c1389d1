/** sitemap.xml (sitemaps.org, 0.9) of the site's own pages. What people share is theirs to make known. */
export function writeSitemap(origin: string, paths: readonly string[]): string {
  const entries = paths.map((path) => `<url><loc>${origin}${path}</loc></url>`).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries}
</urlset>
`;
}
