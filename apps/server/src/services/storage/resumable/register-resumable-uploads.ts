import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { ERRORS, type Locker, Server } from '@tus/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { openCall, openCallAs } from '../open-call.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { type StorageError, storageError } from '../storage-error.ts';
import { detachBody } from '../transfer/read-upload.ts';
import { asksToOverwrite, discardRest } from '../transfer/register-uploads.ts';
import { verifyUpload } from '../transfer/signed-addresses.ts';
import { createUploadLocks } from './upload-locks.ts';
import { type OpenUpload, UploadStore } from './upload-store.ts';

/** Counts what was thrown and, where it is no refusal, logs it. @returns what the caller is told. */
export type NoteFailure = (request: FastifyRequest, error: unknown) => StorageError;

type Deps = StorageDeps & { readonly noteFailure: NoteFailure };

const UPLOAD_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Files that come in several requests (TUS 1.0.0), as a caller or by a signed upload address. Refusals carry their real status. */
export function registerResumableUploads(app: FastifyInstance, deps: Deps): void {
  const locks = createUploadLocks();
  app.register(async (uploads) => {
    uploads.removeAllContentTypeParsers();
    uploads.addContentTypeParser('*', (_request, _payload, done) => done(null));
    uploads.addHook('onSend', async (request) => discardRest(request.raw));
    uploads.setErrorHandler((error, request, reply) => sendFailure(reply, deps.noteFailure(request, error)));

    for (const [path, open] of [
      ['/upload/resumable', openAsCaller],
      ['/upload/resumable/sign', openAsSigner],
    ] as const) {
      const handler = (request: FastifyRequest, reply: FastifyReply) =>
        answer(deps, locks, { request, reply, open: open(deps, request) });
      const config = { takesFiles: true };
      for (const url of [path, `${path}/`])
        uploads.route({ method: ['POST', 'OPTIONS'], url, config, handler });
      const method = ['HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS'];
      uploads.route({ method, url: `${path}/:id`, config, handler });
    }
  });
}

/** A token that does not verify is refused at once; without one, what the protocol says of itself is told all the same. */
function openAsCaller(deps: Deps, request: FastifyRequest): OpenUpload {
  if (request.method === 'OPTIONS') return refuseAll;
  const call = openCall(deps, request);
  return () => ({ call, upsert: asksToOverwrite(request) });
}

/** The token of a signed upload address comes in a header. */
function openAsSigner(deps: Deps, request: FastifyRequest): OpenUpload {
  const token = request.headers['x-signature'];
  return (address) => {
    if (typeof token !== 'string') throw storageError.invalidSignature('Missing x-signature header');
    const { caller, upsert } = verifyUpload(deps, token, address);
    return { call: openCallAs(deps, caller, request), upsert };
  };
}

function refuseAll(): never {
  throw storageError.missingAuthorization();
}

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly open: OpenUpload };

/** Has the protocol's library answer, with a store that speaks for this request alone. */
async function answer(deps: Deps, locker: Locker, { request, reply, open }: Exchange): Promise<FastifyReply> {
  const { id } = request.params as { readonly id?: string };
  const path = request.url.split('?', 1)[0]?.replace(/\/$/, '') ?? '';
  const server = new Server({
    path,
    locker,
    datastore: new UploadStore(deps, open),
    maxSize: deps.settings.fileSizeLimit,
    namingFunction: () => randomUUID(),
    getFileIdFromRequest: () => (id !== undefined && UPLOAD_ID.test(id) ? id : undefined),
    // Without the host: whatever stands in front of us, the client knows how it got here.
    generateUrl: (_request, { id: made }) => `${path}/${made}`,
    onResponseError: (_request, error) => describeFailure(deps, request, error),
  });
  return send(reply, await server.handleWeb(toWebRequest(request)));
}

const OVERRIDES: ReadonlySet<string> = new Set(['HEAD', 'PATCH', 'DELETE']);

/**
 * What a client means that can send nothing but POST (TUS 1.0.0, `X-HTTP-Method-Override`).
 * @throws StorageError for a POST to an upload that means nothing else.
 */
function readMethod({ method, url, headers, params }: FastifyRequest): string {
  if (method !== 'POST' || (params as { readonly id?: string }).id === undefined) return method;
  const meant = String(headers['x-http-method-override']).toUpperCase();
  if (!OVERRIDES.has(meant)) throw storageError.noSuchRoute(method, url.split('?', 1)[0] ?? '');
  return meant;
}

function toWebRequest(request: FastifyRequest): Request {
  const { raw, url } = request;
  const method = readMethod(request);
  const headers = new Headers();
  for (const [name, value = ''] of Object.entries(raw.headers))
    headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  const body = method === 'POST' || method === 'PATCH' ? Readable.toWeb(detachBody(raw)) : undefined;
  const init = body ? { method, headers, body, duplex: 'half' } : { method, headers };
  return new Request(new URL(url, 'http://localhost'), init as RequestInit);
}

/** The gateway says who may read answers from another origin. */
async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  for (const [name, value] of response.headers)
    if (!name.startsWith('access-control-')) reply.header(name, value);
  const text = await response.text();
  return reply
    .code(response.status)
    .header('cache-control', 'no-store')
    .send(text === '' ? undefined : text);
}

type LibraryFailure = { readonly status_code: number; readonly body: string };

/** Undefined leaves a refusal of the library's own as it is. */
function describeFailure(
  { noteFailure }: Deps,
  request: FastifyRequest,
  error: Error | LibraryFailure,
): LibraryFailure | undefined {
  const isLocked = error === ERRORS.ERR_LOCK_TIMEOUT;
  if (!isLocked && 'status_code' in error) return undefined;
  const { statusCode, message } = noteFailure(request, isLocked ? storageError.resourceLocked() : error);
  return { status_code: Number(statusCode), body: message };
}

function sendFailure(reply: FastifyReply, { statusCode, message }: StorageError): FastifyReply {
  return reply.code(Number(statusCode)).header('cache-control', 'no-store').type('text/plain').send(message);
}
