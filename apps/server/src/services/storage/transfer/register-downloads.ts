import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { asStorageAdmin } from '../../../kernel/database.ts';
import { openCall } from '../open-call.ts';
import { findBucket } from '../records/find-bucket.ts';
import { findObject } from '../records/find-object.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import { type FileAddress, readAddress, readQuery } from './read-address.ts';
import { sendFile } from './send-file.ts';
import { verifyDownload } from './signed-addresses.ts';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The ways to a file's bytes, each GET and HEAD: as a caller, from a public bucket, with a signed address. */
export function registerDownloads(app: FastifyInstance, deps: StorageDeps): void {
  const { db } = deps;

  const sendToCaller: Handler = async (request, reply) => {
    const call = openCall(deps, request);
    const address = readAddress(request);
    const isPublic = await isBucketPublic(address);
    const find = () =>
      isPublic ? findAsStorage(address) : call.read((tx) => findObject(tx, address.bucket, address.name));
    return sendFile(deps, request, reply, { find, isPublic });
  };

  const sendPublic: Handler = async (request, reply) => {
    const address = readAddress(request);
    // A bucket that is not public is none, to a visitor.
    if (!(await isBucketPublic(address))) throw storageError.noSuchBucket();
    return sendFile(deps, request, reply, { find: () => findAsStorage(address), isPublic: true });
  };

  const sendSigned: Handler = async (request, reply) => {
    const address = readAddress(request);
    const expires = verifyDownload(deps, readQuery(request, 'token'), address);
    // The token stands in the address itself: caches tell one from another by it.
    return sendFile(deps, request, reply, { find: () => findAsStorage(address), expires, isPublic: true });
  };

  async function isBucketPublic({ bucket: id }: FileAddress): Promise<boolean> {
    const bucket = await asStorageAdmin(db, 'see whether a bucket is public', (tx) => findBucket(tx, id));
    if (!bucket) throw storageError.noSuchBucket();
    return bucket.public;
  }

  function findAsStorage({ bucket, name }: FileAddress) {
    return asStorageAdmin(db, 'find a file that anybody may read', (tx) => findObject(tx, bucket, name));
  }

  const routes: readonly (readonly [path: string, handler: Handler])[] = [
    ['/object/public/:bucket/*', sendPublic],
    ['/object/authenticated/:bucket/*', sendToCaller],
    ['/object/sign/:bucket/*', sendSigned],
    ['/object/:bucket/*', sendToCaller],
  ];
  for (const [url, handler] of routes)
    app.route({ method: ['GET', 'HEAD'], url, exposeHeadRoute: false, handler });
}
