import type { FeedDescription } from './describe-feed.ts';
import { escapeXml } from './escape-xml.ts';

/** Atom (RFC 4287). Ids are the rows' own: another address or title is not another entry. */
export function renderAtom(feed: FeedDescription): string {
  const entries = feed.links.map(
    (link) => `<entry>
<id>urn:uuid:${link.id}</id>
<title>${escapeXml(link.title)}</title>
<link href="${escapeXml(link.url)}"/>
<published>${link.published.toISOString()}</published>
<updated>${link.updated.toISOString()}</updated>
${link.description ? `<summary>${escapeXml(link.description)}</summary>\n` : ''}</entry>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="pt-BR">
<id>urn:uuid:${feed.id}</id>
<title>${escapeXml(feed.title)}</title>
<subtitle>${escapeXml(feed.description)}</subtitle>
<link href="${escapeXml(feed.address)}"/>
<link rel="self" type="application/atom+xml" href="${escapeXml(feed.address)}/atom.xml"/>
<updated>${feed.updated.toISOString()}</updated>
<author><name>${escapeXml(feed.author)}</name></author>
${entries.join('\n')}
</feed>
`;
}
