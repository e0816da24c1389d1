import type { FeedDescription } from './describe-feed.ts';
import { escapeXml } from './escape-xml.ts';

/** RSS 2.0 (https://www.rssboard.org/rss-specification), with the feed's own address as its best practices ask. */
export function renderRss(feed: FeedDescription): string {
  const items = feed.links.map(
    (link) => `<item>
<title>${escapeXml(link.title)}</title>
<link>${escapeXml(link.url)}</link>
<guid isPermaLink="false">urn:uuid:${link.id}</guid>
<pubDate>${link.published.toUTCString()}</pubDate>
${link.description ? `<description>${escapeXml(escapeXml(link.description))}</description>\n` : ''}</item>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel>
<title>${escapeXml(feed.title)}</title>
<link>${escapeXml(feed.address)}</link>
<description>${escapeXml(feed.description)}</description>
<language>pt-BR</language>
<dc:creator>${escapeXml(feed.author)}</dc:creator>
<lastBuildDate>${feed.updated.toUTCString()}</lastBuildDate>
<atom:link href="${escapeXml(feed.address)}/feed.xml" rel="self" type="application/rss+xml"/>
${items.join('\n')}
</channel>
</rss>
`;
}
