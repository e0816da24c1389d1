import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { requireValidBucketName } from '../judge-names.ts';
import { openCall } from '../open-call.ts';
import { findObject } from '../records/find-object.ts';
import { writeObject } from '../records/write-object.ts';
import { readOwner } from '../resolve-storage-caller.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import { findVisibleNames } from './find-visible-names.ts';
import { readAddress } from './read-address.ts';
import { asksToOverwrite } from './register-uploads.ts';
import { signDownload, signUpload, toPath } from './signed-addresses.ts';

/** Seconds; a century is for ever, and still a date. */
const lifetime = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(3_155_760_000));
const ONE = v.object({ expiresIn: lifetime });
const MANY = v.object({
  expiresIn: lifetime,
  paths: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(1000)),
});
const NOT_VISIBLE = 'Either the object does not exist or you do not have access to it';

/** Addresses that work without an account: for reading one file or many, and for writing one. */
export function registerSignedAddresses(app: FastifyInstance, deps: StorageDeps): void {
  app.post('/object/sign/:bucket/*', async (request) => {
    const call = openCall(deps, request);
    const address = readAddress(request);
    const { expiresIn } = readBody(ONE, request);
    const object = await call.read((tx) => findObject(tx, address.bucket, address.name));
    if (!object) throw storageError.noSuchKey();
    const token = await signDownload(deps, address, { caller: call.caller, lifetimeS: expiresIn });
    return { signedURL: toAddress('sign', toPath(address), token) };
  });

  app.post('/object/sign/:bucket', async (request) => {
    const call = openCall(deps, request);
    const bucket = requireValidBucketName((request.params as { readonly bucket: string }).bucket);
    const { expiresIn, paths } = readBody(MANY, request);
    const visible = await call.read((tx) => findVisibleNames(tx, bucket, paths));
    return Promise.all(
      paths.map(async (path) => {
        if (!visible.has(path)) return { error: NOT_VISIBLE, path, signedURL: null };
        const address = { bucket, name: path };
        const token = await signDownload(deps, address, { caller: call.caller, lifetimeS: expiresIn });
        return { error: null, path, signedURL: toAddress('sign', toPath(address), token) };
      }),
    );
  });

  app.post('/object/upload/sign/:bucket/*', async (request) => {
    const call = openCall(deps, request);
    const address = readAddress(request);
    const upsert = asksToOverwrite(request);
    // Nobody hands out what they may not do themselves.
    const rehearsed = {
      ...address,
      upsert,
      owner: readOwner(call.caller),
      version: 'signed',
      metadata: null,
      userMetadata: null,
    };
    await call.rehearse((tx) => writeObject(tx, rehearsed));
    const lifetimeS = deps.settings.uploadUrlLifetimeS;
    const token = await signUpload(deps, address, { caller: call.caller, upsert, lifetimeS });
    return { url: toAddress('upload/sign', toPath(address), token), token };
  });
}

/** Relative to the service, and not encoded: official clients do both (protocol note, section 4). */
function toAddress(way: string, path: string, token: string): string {
  return `/object/${way}/${path}?token=${token}`;
}

function readBody<Schema extends v.GenericSchema>(
  schema: Schema,
  request: FastifyRequest,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, request.body);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw storageError.invalidRequest(`body/${v.getDotPath(issue) ?? ''} ${issue.message}`);
}
