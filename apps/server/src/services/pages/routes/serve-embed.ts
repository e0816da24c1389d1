import type { FastifyInstance } from 'fastify';
import { readPageQuery } from '../read-page-query.ts';
import { sendDocument } from '../send-document.ts';
import { failWith } from './fail.ts';
import { HTML, OWN_HEADERS, type PageContext } from './page-context.ts';

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
