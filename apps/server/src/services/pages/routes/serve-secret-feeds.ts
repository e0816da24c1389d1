import { PUBLIC_PAGE_MESSAGES } from '@linkoteca/domain/messages/public-page-messages';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from '../../../kernel/database.ts';
import { networkOf } from '../../../kernel/networks.ts';
import { readSecretFeed } from '../feeds/read-secret-feed.ts';
import { sendDocument } from '../send-document.ts';
import { failWith, OWN_HEADERS, type PageContext } from './page-context.ts';
import { FEEDS } from './serve-page.ts';

/** Questions a minute from one network, in each copy of the server: a reader asks for a feed a few times an hour. */
const PER_MINUTE = 120;

/**
 * `GET /feed/:key/feed.xml`, `atom.xml` and `feed.json`: the newest links of a category or a saved search, for whoever has the secret address.
 * Whatever opens nothing is answered the same, and `HEAD` as `GET`.
 */
export function serveSecretFeeds(
  scope: FastifyInstance,
  context: PageContext & { readonly db: Database },
): void {
  const { db, cache, headers, site } = context;
  const options = { ...OWN_HEADERS, errorHandler: failWith(context, 'secret') };
  const limiter = new RateLimiterMemory({ points: PER_MINUTE, duration: 60 });
  for (const { name, type, render } of FEEDS)
    scope.get<{ Params: { key: string } }>(`/feed/:key/${name}`, options, async (request, reply) => {
      reply.headers(headers.secret);
      const pauseSeconds = await count(limiter, networkOf(request.ip));
      if (pauseSeconds !== undefined)
        return sendText(
          reply.code(429).header('retry-after', pauseSeconds),
          PUBLIC_PAGE_MESSAGES.unavailableHint,
        );
      const feed = await readSecretFeed(db, request.params.key, { origin: site.origin, now: new Date() });
      if (feed === null) return sendText(reply.code(404), PUBLIC_PAGE_MESSAGES.missing);
      return sendDocument(cache, request, reply.header('last-modified', feed.updated.toUTCString()), {
        kind: `secret ${name}`,
        state: JSON.stringify(feed),
        type: `${type}; charset=utf-8`,
        compressible: true,
        shared: false,
        draw: () => render(feed),
      });
    });
}

/** @returns the seconds after which it is worth trying again; undefined where it may go on. */
async function count(limiter: RateLimiterMemory, network: string): Promise<number | undefined> {
  try {
    await limiter.consume(network);
    return undefined;
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
  }
}

function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(`${text}\n`);
}
