import type { FastifyInstance } from 'fastify';
import { readPageQuery } from '../read-page-query.ts';
import { sendDocument } from '../send-document.ts';
import { failWith } from './fail.ts';
import { HTML, OWN_HEADERS, type PageContext } from './page-context.ts';

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
