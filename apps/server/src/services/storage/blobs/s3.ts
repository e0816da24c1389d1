import { AwsClient } from 'aws4fetch';
import { Parser } from 'htmlparser2';
import type { S3Settings } from '../../../kernel/settings.ts';
import { BlobMissingError, type ListedBlob } from './blob-store.ts';

/** One request for a path below the bucket, or for the bucket itself where it begins with `?`. */
export type AskS3 = (
  method: string,
  path: string,
  init?: { headers?: Record<string, string>; body?: Blob | Buffer<ArrayBuffer> },
) => Promise<Response>;

const RETRIES = 3;

/** Signed requests below the bucket. @throws BlobMissingError for what is not there, Error for everything else that fails. */
export function openS3({ endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Settings): AskS3 {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: RETRIES });
  const base = `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`;
  return async (method, path, { headers = {}, body } = {}) => {
    const address = path.startsWith('?') ? `${base}${path}` : `${base}/${path}`;
    const answer = await client.fetch(address, { method, headers, ...(body ? { body } : {}) });
    if (answer.ok) return answer;
    const code = /<Code>(\w{1,100})<\/Code>/.exec(await answer.text())?.[1] ?? '';
    if (answer.status === 404 && code !== 'NoSuchBucket') throw new BlobMissingError('nothing under the key');
    throw new Error(`object storage answered ${answer.status} ${code} to ${method}`);
  };
}

export type S3ListPage = { readonly objects: readonly ListedBlob[]; readonly nextToken: string | undefined };

/** Reads an answer to ListObjectsV2 (Amazon S3 API reference). */
export function parseS3List(xml: string): S3ListPage {
  const objects: ListedBlob[] = [];
  const page: Record<string, string> = {};
  let object: Record<string, string> | undefined;
  let text = '';
  const parser = new Parser(
    {
      onopentagname(name) {
        text = '';
        if (name === 'Contents') object = {};
      },
      ontext(piece) {
        text += piece;
      },
      onclosetag(name) {
        if (name === 'Contents' && object) {
          const { Key: key = '', LastModified: modified = '' } = object;
          objects.push({ key, modifiedAt: new Date(modified) });
          object = undefined;
        } else (object ?? page)[name] = text;
        text = '';
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  const isCut = page['IsTruncated'] === 'true';
  return { objects, nextToken: isCut ? page['NextContinuationToken'] : undefined };
}
