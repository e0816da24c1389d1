import { PUBLIC_PAGE_MESSAGES } from '@linkoteca/domain/messages/public-page-messages';
import type { FastifyReply } from 'fastify';
import type { PageContext } from './page-context.ts';

/** To programs, of whatever is not public: that there is no such category. */
export function sendMissing({ headers }: PageContext, reply: FastifyReply): FastifyReply {
  return reply
    .code(404)
    .headers(headers.data)
    .header('cache-control', 'no-store')
    .type('text/plain; charset=utf-8')
    .send(`${PUBLIC_PAGE_MESSAGES.missing}\n`);
}
