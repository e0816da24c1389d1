import { PUBLIC_PAGE_MESSAGES } from '@linkoteca/domain/messages/public-page-messages';
import type { SharedPageRenderer, SharedPageSite } from '@linkoteca/domain/sharing';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseUnavailable, logFailure } from '../../../kernel/log-failure.ts';
import type { PageHeaders } from '../build-page-headers.ts';
import type { DocumentCache } from '../create-document-cache.ts';
import type { PagePainter } from '../image/create-page-painter.ts';
import type { SharedPageQuery, SharedPageText } from '../read-shared-page.ts';

/** What every route of the room answers with. */
export type PageContext = {
  /** Reads a page as a visitor; null when it is not theirs to see. */
  readonly read: (query: SharedPageQuery) => Promise<SharedPageText | null>;
  readonly renderer: SharedPageRenderer;
  readonly site: SharedPageSite;
  readonly headers: PageHeaders;
  readonly cache: DocumentCache;
  /** Draws the picture that chats show, as PNG. */
  readonly paint: PagePainter;
  /** Answers with the web app's page, with the status already set. */
  readonly sendApp: (reply: FastifyReply) => FastifyReply;
};

/** Its headers are known beforehand: nothing has to be put together for each of many requests. */
export const OWN_HEADERS = { helmet: false } as const;

export const HTML = 'text/html; charset=utf-8';

/** Seconds after which a client may ask a database that was down once more. */
const RETRY_AFTER = '5';

/** What answers a request that failed: a person reads a page, a program one line. */
export function failWith({ headers, renderer }: PageContext, kind: keyof PageHeaders) {
  return (error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const isPassing = isDatabaseUnavailable(error);
    logFailure(request, error, 'request failed');
    if (isPassing) reply.header('retry-after', RETRY_AFTER);
    reply
      .code(isPassing ? 503 : 500)
      .headers(headers[kind])
      .header('cache-control', 'no-store');
    if (kind === 'data' || kind === 'secret')
      return reply.type('text/plain; charset=utf-8').send(`${PUBLIC_PAGE_MESSAGES.unavailableHint}\n`);
    return reply.type(HTML).send(renderer.renderUnavailable());
  };
}

/** To programs, of whatever is not public: that there is no such category. */
export function sendMissing({ headers }: PageContext, reply: FastifyReply): FastifyReply {
  return reply
    .code(404)
    .headers(headers.data)
    .header('cache-control', 'no-store')
    .type('text/plain; charset=utf-8')
    .send(`${PUBLIC_PAGE_MESSAGES.missing}\n`);
}
