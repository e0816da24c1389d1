import type { FastifyPluginAsync } from 'fastify';
import { createCallLimits } from '../../library/call-limits.ts';
import { createPlainApi, type PlainApiDeps } from './create-plain-api.ts';
import { createLinkdingApi, type LinkdingDeps } from './linkding/create-linkding-api.ts';

/** A minute: an import of a thousand links takes two. */
const CALLS_PER_MINUTE = { program: 600, person: 1_200 } as const;

/** The plain API at `/api/v1`, and beside it at `/api` what programs expect that were written for linkding. Register without a prefix. */
export function createApiService(deps: Omit<LinkdingDeps & PlainApiDeps, 'countCalls'>): FastifyPluginAsync {
  return async (app) => {
    const shared = { ...deps, countCalls: createCallLimits(CALLS_PER_MINUTE) };
    await app.register(createPlainApi(shared), { prefix: '/api/v1' });
    await app.register(createLinkdingApi(shared), { prefix: '/api' });
  };
}
