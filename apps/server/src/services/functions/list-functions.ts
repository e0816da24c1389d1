import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import { createLinkPreview } from '../../../../../supabase/functions/link-preview/create-link-preview.ts';
import type { FetchPage } from '../../../../../supabase/functions/link-preview/fetch-page.ts';
import type { Preview } from '../../../../../supabase/functions/link-preview/preview-page.ts';
import type { Functions } from './function-definition.ts';
import { createPinnedFetch } from './outbound/create-pinned-fetch.ts';

export type FunctionDeps = {
  readonly logger: Pick<FastifyBaseLogger, 'info'>;
  /** How pages of the internet are fetched; by default with addresses judged and pinned. For tests. */
  readonly fetchPage?: FetchPage;
};

/** Somebody pastes a list of addresses: a screenful of them goes through at once. */
const PREVIEWS_OF_A_PERSON = { calls: 60, seconds: 60 };
const PREVIEWS_OF_ALL = { atOnce: 8, waiting: 64 };
const REMEMBERED_PREVIEWS = 500;
const REMEMBERED_MS = 600_000;

/** The functions of `supabase/functions/`, with what this server gives each of them. */
export function listFunctions({ logger, fetchPage = createPinnedFetch() }: FunctionDeps): Functions {
  return {
    'link-preview': {
      verifyJwt: true,
      limit: PREVIEWS_OF_A_PERSON,
      room: PREVIEWS_OF_ALL,
      handler: createLinkPreview({
        fetchPage,
        memory: new LRUCache<string, Preview>({ max: REMEMBERED_PREVIEWS, ttl: REMEMBERED_MS }),
        report: (report, request) => {
          logger.info({ reqId: request.headers.get('x-request-id'), ...report }, 'link preview');
        },
      }),
    },
  };
}
