import type { FastifyInstance } from 'fastify';
import { describeFeed, renderAtom, renderJsonFeed, renderRss } from '../feeds/feeds.ts';
import { readPageQuery } from '../read-shared-page.ts';
import { sendDocument } from '../send-document.ts';
import { failWith, HTML, OWN_HEADERS, type PageContext, sendMissing } from './page-context.ts';

/** `GET /shared/:segment`: the page; the app where it is asked for, and where there is nothing for a visitor. */
export function servePage(scope: FastifyInstance, context: PageContext): void {
  const { read, cache, headers, renderer, site, sendApp } = context;
  const options = { ...OWN_HEADERS, errorHandler: failWith(context, 'page') };
  scope.get('/shared/:segment', options, async (request, reply) => {
    const asked = readPageQuery(request.params, request.query);
    // No search engine keeps an address that needs the app: restricted, gone, or a member's own view.
    if (asked?.wantsApp) return sendApp(reply.header('x-robots-tag', 'noindex'));
    const page = asked === null ? null : await read(asked);
    if (asked === null || page === null) return sendApp(reply.code(404).header('x-robots-tag', 'noindex'));
    const { view, before } = asked;
    return sendDocument(cache, request, reply.headers(headers.page), {
      kind: `page ${view} ${before}`,
      state: page.state,
      type: HTML,
      compressible: true,
      draw: () => renderer.renderPage(page.parse(), view, site),
    });
  });
}

/** `GET /shared/:segment/image.png`: what chats and networks show of the category. */
export function servePicture(scope: FastifyInstance, context: PageContext): void {
  const { read, cache, headers, paint } = context;
  const options = { ...OWN_HEADERS, errorHandler: failWith(context, 'data') };
  scope.get('/shared/:segment/image.png', options, async (request, reply) => {
    const asked = readPageQuery(request.params, {});
    const text = asked === null ? null : await read(asked);
    if (text === null) return sendMissing(context, reply);
    const { name, owner_name, link_count } = text.parse().category;
    return sendDocument(cache, request, reply.headers(headers.data), {
      kind: 'image',
      // What the picture shows: another link in one's place changes nothing.
      state: JSON.stringify([name, owner_name, link_count]),
      type: 'image/png',
      compressible: false,
      draw: () => paint({ name, owner_name, link_count }),
    });
  });
}

/** `GET /shared/:segment/embed`: the newest links for a frame in any site. */
export function serveEmbed(scope: FastifyInstance, context: PageContext): void {
  const { read, cache, headers, renderer, site } = context;
  const options = { ...OWN_HEADERS, errorHandler: failWith(context, 'embed') };
  scope.get('/shared/:segment/embed', options, async (request, reply) => {
    const asked = readPageQuery(request.params, {});
    const page = asked === null ? null : await read(asked);
    reply.headers(headers.embed);
    if (page === null)
      return reply
        .code(404)
        .header('cache-control', 'no-store')
        .type(HTML)
        .send(renderer.renderMissingEmbed());
    return sendDocument(cache, request, reply, {
      kind: 'embed',
      state: page.state,
      type: HTML,
      compressible: true,
      draw: () => renderer.renderEmbed(page.parse(), site),
    });
  });
}

/** The formats of feeds, by the last part of their addresses. */
export const FEEDS = [
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
