import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../kernel/caller-context.ts';
import type { Database } from '../../kernel/database.ts';
import { answerError } from '../../kernel/gateway/answer-error.ts';
import type { Keyring } from '../../kernel/keyring.ts';
import { logFailure } from '../../kernel/log-failure.ts';
import { type Access, identifyCaller, readAccess, validateRequest } from './admit-request.ts';
import { createMessageLimits } from './message-limits.ts';
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
    const { settings } = deps;
    const countMessages = createMessageLimits();
    const callers = new WeakMap<FastifyRequest, Caller>();

    for (const endpoint of ENDPOINTS) {
      const errorHandler = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
        answerRefusal(error, request, reply, { endpoint, settings });
      // Before a body is read: a stranger's costs nothing.
      const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
        reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
        validateRequest(request.url, request.headers, settings.siteUrl);
        callers.set(
          request,
          identifyCaller(deps.keyring, request.headers, { siteUrl: settings.siteUrl, now: deps.now() }),
        );
      };

      app.post(
        endpoint.path,
        { onRequest, errorHandler, bodyLimit: MAX_BODY_BYTES },
        async (request, reply) => {
          const caller = callers.get(request);
          if (caller === undefined) throw new RequestRefusal('missing_token', { challenge: {} });
          const messages = Array.isArray(request.body) ? request.body : [request.body];
          await countMessages(caller, Math.max(1, messages.length));
          const access = await readAccess(deps.db, caller);
          return answer(request, reply, { caller, access });
        },
      );
      // There is nothing that the server tells by itself, and no session to end.
      app.route({
        method: ['GET', 'DELETE'],
        url: endpoint.path,
        onRequest,
        errorHandler,
        handler: async (_request, reply) => reply.code(405).header('allow', 'POST').send(),
      });
      if (settings.oauthServerEnabled) registerMetadata(endpoint);
    }

    function registerMetadata(endpoint: Endpoint): void {
      const body = describeResource(endpoint, settings);
      app.get(metadataPath(endpoint), async (_request, reply) =>
        reply
          .header('access-control-allow-origin', '*')
          .header('cache-control', 'public, max-age=600')
          .header('x-content-type-options', 'nosniff')
          .send(body),
      );
    }

    async function answer(
      request: FastifyRequest,
      reply: FastifyReply,
      { caller, access }: { readonly caller: Caller; readonly access: Access },
    ): Promise<FastifyReply> {
      const onFailure = (error: unknown) => logFailure(request, error, 'tool call failed');
      // The SDK takes a third of a second and 50 MB, which nobody pays who has no assistant.
      const { answerMessages } = await import('./answer-messages.ts');
      const context = { db: deps.db, caller, siteUrl: settings.siteUrl, onFailure };
      const answered = await answerMessages(request, context, access);
      for (const [name, value] of answered.headers) reply.header(name, value);
      return reply.code(answered.status).send(answered.text === '' ? undefined : answered.text);
    }
  };
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
