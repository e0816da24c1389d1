import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { openCall, openCallAs } from '../open-call.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { discardRest } from './discard-rest.ts';
import { requireMediaType } from './media-type.ts';
import { readAddress, readQuery } from './read-address.ts';
import { toPath, verifyUpload } from './signed-addresses.ts';
import { storeUpload } from './store-upload.ts';

/** Uploads: POST makes a file, PUT writes over it as well, and a signed address needs no account. */
export function registerUploads(app: FastifyInstance, deps: StorageDeps): void {
  app.register(async (files) => {
    // Files are read as they come, and by nobody but the routes themselves.
    files.removeAllContentTypeParsers();
    files.addContentTypeParser('*', (_request, _payload, done) => done(null));
    // The framework would refuse what is no media type before anybody here is asked, in words of its own.
    files.addHook('onRequest', async ({ raw: { headers } }) => {
      // A form's type names its boundary, which whoever takes the form apart needs.
      const mediaType = requireMediaType(headers['content-type']);
      if (mediaType !== 'multipart/form-data') headers['content-type'] = mediaType;
    });
    files.addHook('onSend', async (request) => discardRest(request.raw));

    const upload = async (request: FastifyRequest, reply: FastifyReply) => {
      const call = openCall(deps, request);
      const address = readAddress(request);
      const upsert = request.method === 'PUT' || asksToOverwrite(request);
      const { id } = await storeUpload(deps, { call, ...address, upsert }, request.raw);
      return reply.send({ Id: id, Key: toPath(address) });
    };
    const config = { takesFiles: true };
    files.route({ method: ['POST', 'PUT'], url: '/object/:bucket/*', config, handler: upload });

    files.put('/object/upload/sign/:bucket/*', { config }, async (request, reply) => {
      const address = readAddress(request);
      const { caller, upsert } = verifyUpload(deps, readQuery(request, 'token'), address);
      const call = openCallAs(deps, caller, request);
      await storeUpload(deps, { call, ...address, upsert }, request.raw);
      return reply.send({ Key: toPath(address) });
    });
  });
}

/** Whether a client said that a file of the same name may be written over. */
export function asksToOverwrite({ headers }: FastifyRequest): boolean {
  return headers['x-upsert'] === 'true';
}
