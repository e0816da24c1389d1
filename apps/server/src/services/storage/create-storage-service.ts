import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { registerBucketRoutes } from './buckets/register-bucket-routes.ts';
import { registerObjectRoutes, registerPublicDescriptions } from './objects/register-object-routes.ts';
import { registerErrors } from './register-errors.ts';
import { resolveStorageCaller } from './resolve-storage-caller.ts';
import type { StorageDeps } from './storage-deps.ts';
import { registerTransferRoutes } from './transfer/register-transfer-routes.ts';

/** The hosted platform's file storage (`storage/v1`): register the result under that prefix. */
export function createStorageService(deps: StorageDeps): FastifyPluginAsync {
  const { keyring, now } = deps;
  const refuseUnknownCallers = async ({ headers }: FastifyRequest) => {
    resolveStorageCaller(keyring, headers, now());
  };

  return async (app) => {
    registerErrors(app, deps);
    await app.register(async (scope) => {
      // Before the body: whoever may not ask is not told what is wrong with the question.
      scope.addHook('onRequest', refuseUnknownCallers);
      scope.addHook('onRequest', async (_request, reply) => {
        reply.header('cache-control', 'no-store');
      });
      takeEmptyBodies(scope);
      registerBucketRoutes(scope, deps);
      registerObjectRoutes(scope, deps);
    });
    registerPublicDescriptions(app, deps);
    registerTransferRoutes(app, deps);
  };
}

/** Clients announce JSON also where they have nothing to say. */
function takeEmptyBodies(scope: FastifyInstance): void {
  const parse = scope.getDefaultJsonParser('error', 'error');
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, {});
    else parse(request, String(body), done);
  });
}
