import { PUBLIC_PAGE_MESSAGES } from '@linkoteca/domain/public-page-messages';
import type { SharedPage, SharedPageRenderer } from '@linkoteca/domain/shared-page';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../kernel/database.ts';
import type { RegisterPages } from '../../kernel/gateway/register-web-app.ts';
import { isDatabaseUnavailable } from '../../kernel/is-database-unavailable.ts';
import { buildPageHeaders } from './build-page-headers.ts';
import { createDocumentCache } from './create-document-cache.ts';
import { describeFeed } from './feeds/describe-feed.ts';
import { renderAtom } from './feeds/render-atom.ts';
import { renderJsonFeed } from './feeds/render-json-feed.ts';
import { renderRss } from './feeds/render-rss.ts';
import { readPageQuery } from './read-page-query.ts';
import { readSharedPage } from './read-shared-page.ts';
import { sendDocument } from './send-document.ts';

export type PagesServiceDeps = {
  readonly db: Database;
  readonly renderer: SharedPageRenderer;
  /** Of the renderer: another one draws other pages from the same rows. */
  readonly version: string;
  readonly siteUrl: string;
  readonly anonKey: string;
  /** Draws the picture that chats show, as PNG. */
  readonly paint: (page: SharedPage) => Promise<Buffer>;
};

const FEEDS = [
  { name: 'feed.xml', type: 'application/rss+xml', render: renderRss },
  { name: 'atom.xml', type: 'application/atom+xml', render: renderAtom },
  { name: 'feed.json', type: 'application/feed+json', render: renderJsonFeed },
] as const;
const HTML = 'text/html; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
/** Seconds after which a client may ask a database that was down once more. */
const RETRY_AFTER = '5';

/**
 * The public pages of categories, drawn for whoever has the address, their feeds, pictures and frames (decision 0034). What
 * is not public to a visitor is answered by the app, which knows who is asking.
 */
export function createPagesService(deps: PagesServiceDeps): RegisterPages {
  const { db, renderer } = deps;
  const site = { origin: new URL(deps.siteUrl).origin, anonKey: deps.anonKey };
  const headers = buildPageHeaders(renderer, deps.siteUrl);
  const cache = createDocumentCache(`${deps.version}\0${JSON.stringify(site)}`);
  const read = async ({ params, query }: FastifyRequest) => {
    const asked = readPageQuery(params, query);
    return { asked, page: asked === null || asked.wantsApp ? null : await readSharedPage(db, asked) };
  };
  const answerFailure = (error: Error, request: FastifyRequest, reply: FastifyReply) => {
    const isPassing = isDatabaseUnavailable(error);
    request.log.error({ err: error }, 'request failed');
    if (isPassing) reply.header('retry-after', RETRY_AFTER);
    return reply.code(isPassing ? 503 : 500).header('cache-control', 'no-store');
  };
  const failPage = (error: Error, request: FastifyRequest, reply: FastifyReply) =>
    answerFailure(error, request, reply).headers(headers.page).type(HTML).send(renderer.renderUnavailable());
  const failEmbed = (error: Error, request: FastifyRequest, reply: FastifyReply) =>
    answerFailure(error, request, reply).headers(headers.embed).type(HTML).send(renderer.renderUnavailable());
  const failData = (error: Error, request: FastifyRequest, reply: FastifyReply) =>
    answerFailure(error, request, reply)
      .headers(headers.data)
      .type(TEXT)
      .send(`${PUBLIC_PAGE_MESSAGES.unavailableHint}\n`);
  const missData = (reply: FastifyReply) =>
    reply
      .code(404)
      .headers({ ...headers.data, 'cache-control': 'no-store' })
      .type(TEXT)
      .send(`${PUBLIC_PAGE_MESSAGES.missing}\n`);

  return async (scope, sendApp) => {
    // Its headers are known beforehand: nothing has to be put together for each of many requests.
    const own = { helmet: false } as const;

    scope.get('/shared/:segment', { ...own, errorHandler: failPage }, async (request, reply) => {
      const { asked, page } = await read(request);
      if (asked === null || page === null)
        return sendApp(reply.code(asked?.wantsApp ? 200 : 404).header('x-robots-tag', 'noindex'));
      const { view, before } = asked;
      return sendDocument(cache, request, reply.headers(headers.page), {
        kind: `page ${view} ${before}`,
        state: page.text,
        type: HTML,
        compressible: true,
        draw: () => renderer.renderPage(page.parse(), view, site),
      });
    });

    scope.get('/shared/:segment/embed', { ...own, errorHandler: failEmbed }, async (request, reply) => {
      const { page } = await read(request);
      reply.headers(headers.embed);
      if (page === null)
        return reply
          .code(404)
          .header('cache-control', 'no-store')
          .type(HTML)
          .send(renderer.renderMissingEmbed());
      return sendDocument(cache, request, reply, {
        kind: 'embed',
        state: page.text,
        type: HTML,
        compressible: true,
        draw: () => renderer.renderEmbed(page.parse(), site),
      });
    });

    scope.get('/shared/:segment/image.png', { ...own, errorHandler: failData }, async (request, reply) => {
      const { page } = await read(request);
      if (page === null) return missData(reply);
      const { name, owner_name, link_count } = page.parse().category;
      return sendDocument(cache, request, reply.headers(headers.data), {
        kind: 'image',
        // What the picture shows: another link of the same number changes nothing.
        state: JSON.stringify([name, owner_name, link_count]),
        type: 'image/png',
        compressible: false,
        draw: () => deps.paint(page.parse()),
      });
    });

    for (const { name, type, render } of FEEDS)
      scope.get(`/shared/:segment/${name}`, { ...own, errorHandler: failData }, async (request, reply) => {
        const { page } = await read(request);
        if (page === null) return missData(reply);
        const feed = describeFeed(page.parse(), site.origin);
        return sendDocument(
          cache,
          request,
          reply.headers({ ...headers.data, 'last-modified': feed.updated.toUTCString() }),
          {
            kind: name,
            state: page.text,
            type: `${type}; charset=utf-8`,
            compressible: true,
            draw: () => render(feed),
          },
        );
      });
  };
}
