import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { openCallAs } from '../open-call.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import { readForm } from '../transfer/read-upload.ts';
import { storeFile } from '../transfer/register-uploads.ts';
import { requireValidBucketName, requireValidKey } from '../validate-names.ts';
import { authorizeForm } from './authorize.ts';
import { decodePayload } from './decode-payload.ts';
import { type FormPolicy, requireKept } from './form-policy.ts';
import { readNotes } from './object-operations.ts';
import { sendXml } from './xml.ts';

/** The protocol's fields and notes of one's own, as long as Amazon's: they are read before anybody is known. */
const LIMITS = { fields: 40, fieldSize: 20_480 };
const SUCCESSES: Readonly<Record<string, number>> = { '200': 200, '201': 201, '204': 204 };

/** POST /BUCKET with a form, which alone carries its signature. */
export function isPostedForm({ method, headers, params, raw }: FastifyRequest): boolean {
  const { bucket = '', '*': name = '' } = params as { readonly bucket?: string; readonly '*'?: string };
  return (
    method === 'POST' &&
    bucket !== '' &&
    name === '' &&
    !raw.url?.includes('?') &&
    /^multipart\/form-data/i.test(headers['content-type'] ?? '')
  );
}

/**
 * A file that a page sends without a program (`createPresignedPost`): somebody signed a policy, and whoever has it may send what it
 * lets through. What comes behind the file counts for nothing.
 */
export async function postForm(
  deps: StorageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const bucket = requireValidBucketName((request.params as { readonly bucket: string }).bucket);
  const form = await readForm(request.raw, LIMITS);
  try {
    const fields = new Map([...form.fields].map(([name, value]) => [name.toLowerCase(), value]));
    const policy = fields.get('policy') ?? '';
    const { caller, signed, key } = authorizeForm(deps, fields, policy);
    const sizes = requireKept(policy, fields, { bucket, now: deps.now() });
    // Nobody is sent on to an address that this server does not know.
    if (fields.has('success_action_redirect') || fields.has('redirect')) throw storageError.notImplemented();
    const name = requireValidKey(
      (fields.get('key') ?? '').replace(/\$\{filename\}/g, () => form.fileName ?? ''),
    );
    const headers: IncomingHttpHeaders = Object.fromEntries(fields);
    const notes = readNotes({ ...headers, 'content-type': headers['content-type'] || form.mimeType });
    const open = async () => ({
      body: keepSizes(decodePayload(form.file, { signed, key }, headers), sizes),
      mimeType: notes.mimeType,
      readNotes: () => form.finished.then(() => notes),
    });
    const call = openCallAs(deps, caller, request);
    const stored = await storeFile(
      deps,
      { call, bucket, name, upsert: true },
      { announced: undefined, open },
    );
    const etag = `"${stored.md5}"`;
    const status = SUCCESSES[fields.get('success_action_status') ?? ''] ?? 200;
    reply.code(status).header('etag', etag);
    if (status !== 201) return reply.send();
    return sendXml(reply, 'PostResponse', { Bucket: bucket, Key: name, ETag: etag });
  } catch (error) {
    form.file.destroy();
    throw error;
  }
}

function keepSizes(body: Readable, { leastBytes, mostBytes }: FormPolicy): Readable {
  async function* count() {
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > mostBytes) throw storageError.tooLarge();
      yield chunk;
    }
    if (size < leastBytes) throw storageError.invalidRequest('The file is smaller than the policy allows');
  }
  return Readable.from(count(), { objectMode: false });
}
