import type { FastifyInstance } from 'fastify';
import { readPageQuery } from '../read-page-query.ts';
import { sendDocument } from '../send-document.ts';
import { failWith } from './fail.ts';
import { OWN_HEADERS, type PageContext } from './page-context.ts';
import { sendMissing } from './send-missing.ts';

/** `GET /shared/:segment/image.png`: what chats and networks show of the category. */
export function servePicture(scope: FastifyInstance, context: PageContext): void {
  const { read, cache, headers, paint } = context;
  const options = { ...OWN_HEADERS, errorHandler: failWith(context, 'data') };
  scope.get('/shared/:segment/image.png', options, async (request, reply) => {
    const asked = readPageQuery(request.params, {});
    const text = asked === null ? null : await read(asked);
    if (text === null) return sendMissing(context, reply);
    const page = text.parse();
    const { name, owner_name, link_count } = page.category;
    return sendDocument(cache, request, reply.headers(headers.data), {
      kind: 'image',
      // What the picture shows: another link in one's place changes nothing.
      state: JSON.stringify([name, owner_name, link_count]),
      type: 'image/png',
      compressible: false,
      draw: () => paint(page),
    });
  });
}
