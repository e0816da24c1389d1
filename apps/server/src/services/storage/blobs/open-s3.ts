import { AwsClient } from 'aws4fetch';
import type { S3Settings } from '../../../kernel/settings.ts';
import { BlobMissingError } from './blob-store.ts';

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
