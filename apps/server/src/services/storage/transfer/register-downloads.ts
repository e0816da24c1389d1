import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { queryAsStorageAdmin, type Transaction } from '../../../kernel/database.ts';
import { isOnFilesOrigin } from '../../../kernel/gateway/serve-files-apart.ts';
import { isAccountOpen } from '../../../kernel/is-account-open.ts';
import { openCall } from '../open-call.ts';
import { findObject } from '../records/find-object.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import { findForEverybody } from './find-for-everybody.ts';
import { readAddress, readQuery } from './read-address.ts';
import { sendFile } from './send-file.ts';
import { verifyDownload } from './signed-addresses.ts';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The ways to a file's bytes, each GET and HEAD: as a caller, from a public bucket, with a signed address. */
export function registerDownloads(app: FastifyInstance, deps: StorageDeps): void {
  const { db, settings } = deps;

  const sendToCaller: Handler = async (request, reply) => {
    const call = openCall(deps, request);
    const address = readAddress(request);
    const { isPublic } = await findForEverybody(db, address);
    const find = async () =>
      isPublic
        ? (await findForEverybody(db, address)).object
        : findObject(call.reader, address.bucket, address.name);
    return sendFile(deps, request, reply, { find, isPublic });
  };

  const sendPublic: Handler = async (request, reply) => {
    const address = readAddress(request);
    const find = async () => {
      const { isPublic, object } = await findForEverybody(db, address);
      // A bucket that is not public is none, to a visitor.
      if (!isPublic) throw storageError.noSuchBucket();
      return object;
    };
    return sendFile(deps, request, reply, { find, isPublic: true });
  };

  const sendSigned: Handler = async (request, reply) => {
    const address = readAddress(request);
    const { expires, signer } = verifyDownload(deps, readQuery(request, 'token'), address);
    // What a person shared goes with their account, at once.
    if (signer.role === 'authenticated' && !(await isAccountOpen(db, signer))) throw storageError.noSuchKey();
    const storage: Transaction = { query: (statement) => queryAsStorageAdmin(db, statement) };
    const find = () => findObject(storage, address.bucket, address.name);
    // The token stands in the address itself: caches tell one from another by it.
    return sendFile(deps, request, reply, { find, expires, isPublic: true });
  };

  // An address that a window can open leads to the files' own origin; with a token in a header no window asks.
  const { filesUrl } = settings;
  const sendApart =
    (send: Handler): Handler =>
    async (request, reply) =>
      filesUrl === undefined || isOnFilesOrigin(request, filesUrl)
        ? send(request, reply)
        : reply.header('cache-control', 'no-store').redirect(`${filesUrl}${request.url}`, 307);

  const routes: readonly (readonly [path: string, handler: Handler])[] = [
    ['/object/public/:bucket/*', sendApart(sendPublic)],
    ['/object/authenticated/:bucket/*', sendToCaller],
    ['/object/sign/:bucket/*', sendApart(sendSigned)],
    ['/object/:bucket/*', sendToCaller],
  ];
  for (const [url, handler] of routes)
    app.route({ method: ['GET', 'HEAD'], url, exposeHeadRoute: false, handler });
}
