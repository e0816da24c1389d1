import { PUBLIC_PAGE_MESSAGES } from '@linkoteca/domain/messages/public-page-messages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseUnavailable, logFailure } from '../../../kernel/log-failure.ts';
import { HTML, type PageContext } from './page-context.ts';

/** Seconds after which a client may ask a database that was down once more. */
const RETRY_AFTER = '5';

/** What answers a request that failed: a person reads a page, a program one line. */
export function failWith({ headers, renderer }: PageContext, kind: 'page' | 'embed' | 'data') {
  return (error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const isPassing = isDatabaseUnavailable(error);
    logFailure(request, error, 'request failed');
    if (isPassing) reply.header('retry-after', RETRY_AFTER);
    reply
      .code(isPassing ? 503 : 500)
      .headers(headers[kind])
      .header('cache-control', 'no-store');
    if (kind === 'data')
      return reply.type('text/plain; charset=utf-8').send(`${PUBLIC_PAGE_MESSAGES.unavailableHint}\n`);
    return reply.type(HTML).send(renderer.renderUnavailable());
  };
}
