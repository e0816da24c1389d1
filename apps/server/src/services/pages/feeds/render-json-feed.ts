import type { FeedDescription } from './describe-feed.ts';

/** JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/). */
export function renderJsonFeed(feed: FeedDescription): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    description: feed.description,
    home_page_url: feed.address,
    feed_url: `${feed.address}/feed.json`,
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
