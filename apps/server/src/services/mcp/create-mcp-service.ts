import { randomUUID } from 'node:crypto';
import type {
  FastifyError,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import type { Database } from '../../kernel/database.ts';
import { answerError } from '../../kernel/gateway/answer-error.ts';
import type { Keyring } from '../../kernel/keyring.ts';
import { logFailure } from '../../kernel/log-failure.ts';
import { openLibrary } from '../../library/library.ts';
import { admitToLibrary, identifyCaller, validateRequest } from './admit-request.ts';
import { type CountMessages, createMessageLimits } from './message-limits.ts';
import {
  describeChallenge,
  describeResource,
  ENDPOINTS,
  type Endpoint,
  metadataPath,
  type ResourceSettings,
} from './protected-resource.ts';
import { presentRefusal, RequestRefusal } from './request-refusal.ts';

export type McpServiceDeps = {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly now: () => Date;
  readonly settings: ResourceSettings;
};

/** Fifty links with the longest texts are a third of it. */
const MAX_BODY_BYTES = 1_048_576;

/**
 * The Model Context Protocol over streamable HTTP, without sessions of its own: each request stands for itself and is answered in JSON, so
 * that any copy of the server answers it. Register the result without a prefix.
 */
export function createMcpService(deps: McpServiceDeps): FastifyPluginAsync {
  return async (app) => {
    const countMessages = createMessageLimits();
    for (const endpoint of ENDPOINTS) {
      registerMessages(app, { endpoint, countMessages }, deps);
      if (deps.settings.oauthServerEnabled) registerMetadata(app, endpoint, deps.settings);
    }
  };
}

type Served = { readonly endpoint: Endpoint; readonly countMessages: CountMessages };

function registerMessages(
  app: FastifyInstance,
  { endpoint, countMessages }: Served,
  deps: McpServiceDeps,
): void {
  const { keyring, now, settings } = deps;
  const { siteUrl } = settings;
  const identify = ({ headers }: FastifyRequest) => identifyCaller(keyring, headers, { siteUrl, now: now() });
  const options = {
    bodyLimit: MAX_BODY_BYTES,
    errorHandler: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
      answerRefusal(error, request, reply, { endpoint, settings }),
    // Before a body is read: a stranger's costs nothing.
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
      validateRequest(request.url, request.headers, siteUrl);
      identify(request);
    },
  };
  app.post(endpoint.path, options, async (request, reply) => {
    const caller = identify(request);
    await countMessages(caller, Array.isArray(request.body) ? Math.max(1, request.body.length) : 1);
    const library = openLibrary(deps.db, caller);
    const access = await admitToLibrary(library);
    const onFailure = (error: unknown) => logFailure(request, error, 'tool call failed');
    // The SDK takes a third of a second and 50 MB, which nobody pays who has no assistant.
    const { answerMessages } = await import('./answer-messages.ts');
    const beginAct = () => openLibrary(deps.db, caller, randomUUID());
    const answered = await answerMessages(request, { library, beginAct, siteUrl, onFailure }, access);
    for (const [name, value] of answered.headers) reply.header(name, value);
    return reply.code(answered.status).send(answered.text === '' ? undefined : answered.text);
  });
  // There is nothing that the server tells by itself, and no session to end.
  const refuseMethod = async (_request: FastifyRequest, reply: FastifyReply) =>
    reply.code(405).header('allow', 'POST').send();
  app.route({
    ...options,
    method: ['GET', 'DELETE'],
    url: endpoint.path,
    // A body that comes along is not read.
    onRequest: [options.onRequest, refuseMethod],
    handler: refuseMethod,
  });
}

/** Pages of any origin may read it: it is the same for everybody. */
function registerMetadata(app: FastifyInstance, endpoint: Endpoint, settings: ResourceSettings): void {
  const body = describeResource(endpoint, settings);
  app.get(metadataPath(endpoint), async (_request, reply) =>
    reply
      .header('access-control-allow-origin', '*')
      .header('cache-control', 'public, max-age=600')
      .header('x-content-type-options', 'nosniff')
      .send(body),
  );
}

function answerRefusal(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  { endpoint, settings }: { readonly endpoint: Endpoint; readonly settings: ResourceSettings },
): FastifyReply {
  if (!(error instanceof RequestRefusal)) return answerError(error, request, reply);
  const { challenge, retryAfter } = error.details;
  if (challenge) reply.header('www-authenticate', describeChallenge(endpoint, settings, challenge));
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  return reply.code(error.status).send(presentRefusal(error));
}
