import type { FastifyRequest } from 'fastify';
import { requireValidBucketName, requireValidKey } from '../judge-names.ts';

export type FileAddress = { readonly bucket: string; readonly name: string };

/**
 * The bucket and the name in a path `…/:bucket/*`, decoded.
 * @throws StorageError for names that no bucket or file can have.
 */
export function readAddress(request: FastifyRequest): FileAddress {
  const { bucket = '', '*': name = '' } = request.params as {
    readonly bucket?: string;
    readonly '*'?: string;
  };
  return { bucket: requireValidBucketName(bucket), name: requireValidKey(name) };
}

/** A parameter of the query; the first one where it is repeated. */
export function readQuery(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Readonly<Record<string, string | readonly string[] | undefined>>)[name];
  return typeof value === 'string' ? value : value?.[0];
}
