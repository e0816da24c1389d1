import { describePublicPage, nameOwner } from '@linkoteca/domain/messages/public-page-messages';
import { type SharedLink, type SharedPage, sharedPath } from '@linkoteca/domain/sharing';

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
<atom:link href="${escapeXml(feed.base)}/feed.xml" rel="self" type="application/rss+xml"/>
${items.join('\n')}
</channel>
</rss>
`;
}

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
<link rel="self" type="application/atom+xml" href="${escapeXml(feed.base)}/atom.xml"/>
<updated>${feed.updated.toISOString()}</updated>
<author><name>${escapeXml(feed.author)}</name></author>
${entries.join('\n')}
</feed>
`;
}

/** JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/). */
export function renderJsonFeed(feed: FeedDescription): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    description: feed.description,
    home_page_url: feed.address,
    feed_url: `${feed.base}/feed.json`,
    language: 'pt-BR',
    authors: [{ name: feed.author }],
    items: feed.links.map((link) => ({
      id: `urn:uuid:${link.id}`,
      url: link.url,
      title: link.title,
      content_text: link.description ?? link.title,
      date_published: link.published.toISOString(),
      date_modified: link.updated.toISOString(),
    })),
  });
}

/** What the three formats say of links: of a category, say. */
export type FeedDescription = {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly author: string;
  /** The page. */
  readonly address: string;
  /** Where the three formats are, without a slash at the end. */
  readonly base: string;
  /** When it or one of the links changed last. */
  readonly updated: Date;
  readonly links: readonly FeedLink[];
};

type FeedLink = Pick<SharedLink, 'id' | 'url' | 'title' | 'description'> & {
  readonly published: Date;
  readonly updated: Date;
};

/** The feed of a public category. @param origin of the site, without a slash at its end. */
export function describeFeed({ category, links }: SharedPage, origin: string): FeedDescription {
  const address = `${origin}${sharedPath(category)}`;
  return fillFeed(
    {
      id: category.id,
      title: category.name,
      description: describePublicPage(category),
      author: nameOwner(category.owner_name),
      address,
      base: address,
    },
    category.updated_at,
    links,
  );
}

/** A feed with its links in their order. @param changedAt when it changed last itself, as Postgres writes moments. */
export function fillFeed(
  head: Omit<FeedDescription, 'links' | 'updated'>,
  changedAt: string,
  links: readonly SharedLink[],
): FeedDescription {
  const entries = links.map(({ created_at, updated_at, ...link }) => ({
    ...link,
    published: readMoment(created_at),
    updated: readMoment(updated_at),
  }));
  const moments = [readMoment(changedAt), ...entries.map(({ updated }) => updated)];
  return { ...head, updated: new Date(Math.max(...moments.map(Number))), links: entries };
}

/** Postgres knows moments that JavaScript does not ('-infinity', the year 294276): one odd date must not cost the whole feed. */
function readMoment(text: string): Date {
  return new Date(Date.parse(text) || 0);
}

// What XML 1.0 cannot carry in any form (section 2.2): one such character would make the whole feed unreadable.
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose.
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Makes any text safe inside an element or an attribute. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(FORBIDDEN, '')
    .replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
