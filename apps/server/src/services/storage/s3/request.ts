import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StorageCall } from '../open-call.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import { detachBody } from '../transfer/read-upload.ts';
import type { Checksum } from './checksums.ts';
import { decodePayload, type PayloadSeal } from './decode-payload.ts';

/** A request whose signature is good, and what it asks for. */
export type S3Request = {
  readonly deps: StorageDeps;
  readonly call: StorageCall;
  readonly seal: PayloadSeal;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly query: URLSearchParams;
  readonly bucket: string;
  /** Empty for the bucket itself. */
  readonly name: string;
};

export type S3Operation = (request: S3Request) => Promise<FastifyReply>;

/** A list of a thousand keys, each as long as may be. */
const MOST_XML_BYTES = 2 * 1024 * 1024;

/** A body that is no file. @throws StorageError for one that is too long, or not as it was signed */
export async function readText({ request, seal }: S3Request, said?: readonly Checksum[]): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of decodePayload(detachBody(request.raw), seal, request.headers, said)) {
    size += (chunk as Buffer).length;
    if (size > MOST_XML_BYTES) throw storageError.tooLarge();
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A number of the query. @throws StorageError for what is none, or is not within the bounds */
export function readNumber(
  { query }: S3Request,
  name: string,
  { least, most, otherwise }: { readonly least: number; readonly most: number; readonly otherwise: number },
): number {
  const text = query.get(name);
  if (text === null || text === '') return otherwise;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least)) throw storageError.invalidParameter(name);
  return Math.min(value, most);
}
