import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import { logFailure } from '../../kernel/log-failure.ts';
import { registerBucketRoutes } from './buckets/register-bucket-routes.ts';
import { registerObjectRoutes, registerPublicDescriptions } from './objects/register-object-routes.ts';
import { resolveStorageCaller } from './open-call.ts';
import { type NoteFailure, registerResumableUploads } from './resumable/register-resumable-uploads.ts';
import { registerS3 } from './s3/register-s3.ts';
import type { StorageDeps } from './storage-deps.ts';
import { type StorageError, storageError, toStorageError } from './storage-error.ts';
import { registerTransferRoutes } from './transfer/register-transfer-routes.ts';

/** The hosted platform's file storage (`storage/v1`): register the result under that prefix. */
export function createStorageService(deps: StorageDeps): FastifyPluginAsync {
  const { keyring, now } = deps;
  const refuseUnknownCallers = async ({ headers }: FastifyRequest) => {
    resolveStorageCaller(keyring, headers, now());
  };

  return async (app) => {
    const noteFailure = createFailureNotes(deps);
    registerErrors(app, noteFailure, deps.settings);
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
    registerStatus(app);
    registerTransferRoutes(app, deps);
    registerResumableUploads(app, { ...deps, noteFailure });
    if (deps.settings.s3Enabled) registerS3(app, { ...deps, noteFailure });
  };
}

/** The version of the platform's service whose protocol this one speaks. */
const PROTOCOL_VERSION = '1.11.0';

/** That the service runs, and what it speaks: for whoever watches, without a token. */
function registerStatus(app: FastifyInstance): void {
  for (const url of ['/status', '/statusz'])
    app.get(url, (_request, reply) => reply.header('cache-control', 'no-store').send());
  app.get('/version', (_request, reply) => reply.header('cache-control', 'no-store').send(PROTOCOL_VERSION));
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

/** Features of the platform that this service does not have: it answers as a project that has not enabled them. */
const S3 = ['/s3/*', '/s3'];
const ABSENT = ['/iceberg/*', '/vector/*', '/cdn/*', '/bucket/:id/lifecycle', '/bucket/:id/lifecycle/*'];

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Gives every failure below the service's prefix the platform's shape, unknown paths and features that are not offered included. */
function registerErrors(
  app: FastifyInstance,
  noteFailure: NoteFailure,
  { s3Enabled }: Pick<StorageDeps['settings'], 's3Enabled'>,
): void {
  app.setErrorHandler((error, request, reply) => {
    return sendError(reply, noteFailure(request, error));
  });
  // Whoever serves the pages of the web app answers any other GET: below our prefix, unknown paths are ours.
  app.route({ method: ['GET', 'HEAD'], url: '/*', handler: (_request, reply) => reply.callNotFound() });
  app.setNotFoundHandler((request, reply) =>
    sendError(reply, storageError.noSuchRoute(request.method, request.url.split('?', 1)[0] ?? '')),
  );
  for (const url of s3Enabled ? ABSENT : [...ABSENT, ...S3])
    app.route({ method: METHODS, url, handler: refuseFeature });
}

/** Counts what was thrown and, where it is no refusal, logs it. */
function createFailureNotes({ metrics }: Pick<StorageDeps, 'metrics'>): NoteFailure {
  const refusals = metrics && countRefusals(metrics);
  return (request, error) => {
    const failure = toStorageError(error);
    refusals?.inc({ code: failure.code });
    if (Number(failure.statusCode) >= 500) logFailure(request, error, 'storage: unexpected failure');
    return failure;
  };
}

/** The status of almost every refusal is 400, so the requests' own counter says little here. */
function countRefusals(registry: Registry): Counter<'code'> {
  return new Counter({
    name: 'linkoteca_storage_refusals_total',
    help: 'Requests that the storage service refused, by code.',
    labelNames: ['code'] as const,
    registers: [registry],
  });
}

async function refuseFeature(): Promise<never> {
  throw storageError.featureNotOffered();
}

function sendError(reply: FastifyReply, { statusCode, error, message, code, httpStatus }: StorageError) {
  return reply
    .code(httpStatus)
    .header('cache-control', 'no-store')
    .send({ statusCode, error, message, code });
}
