import type { FastifyInstance } from 'fastify';
import { describeFeed } from '../feeds/describe-feed.ts';
import { renderAtom } from '../feeds/render-atom.ts';
import { renderJsonFeed } from '../feeds/render-json-feed.ts';
import { renderRss } from '../feeds/render-rss.ts';
import { readPageQuery } from '../read-page-query.ts';
import { sendDocument } from '../send-document.ts';
import { failWith } from './fail.ts';
import { OWN_HEADERS, type PageContext } from './page-context.ts';
import { sendMissing } from './send-missing.ts';

const FEEDS = [
  { name: 'feed.xml', type: 'application/rss+xml', render: renderRss },
  { name: 'atom.xml', type: 'application/atom+xml', render: renderAtom },
  { name: 'feed.json', type: 'application/feed+json', render: renderJsonFeed },
] as const;

/** `GET /shared/:segment/feed.xml`, `atom.xml` and `feed.json`: the newest links for feed readers. */
export function serveFeeds(scope: FastifyInstance, context: PageContext): void {
  const { read, cache, headers, site } = context;
  const options = { ...OWN_HEADERS, errorHandler: failWith(context, 'data') };
  for (const { name, type, render } of FEEDS)
    scope.get(`/shared/:segment/${name}`, options, async (request, reply) => {
      const asked = readPageQuery(request.params, {});
      const page = asked === null ? null : await read(asked);
      if (page === null) return sendMissing(context, reply);
      const feed = describeFeed(page.parse(), site.origin);
      reply.headers(headers.data).header('last-modified', feed.updated.toUTCString());
      return sendDocument(cache, request, reply, {
        kind: name,
        state: page.state,
        type: `${type}; charset=utf-8`,
        compressible: true,
        draw: () => render(feed),
      });
    });
}
