import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { S3Settings } from '../../../kernel/settings.ts';
import {
  type BlobStore,
  decodeBucketId,
  encodeBucketId,
  keepErrorForReader,
  parseBlobKey,
  toBlobKey,
} from './blob-store.ts';
import { openS3, parseS3List } from './s3.ts';
import { spoolBytes } from './spool-bytes.ts';

export type S3StoreOptions = S3Settings & {
  /** A folder of this machine's own, where files wait until they are whole. */
  readonly spoolFolder: string;
};

/** What else may lie in the same bucket stays untouched. */
const PREFIX = 'linkoteca/';
const AT_ONCE = 8;

/**
 * Keeps bytes in a bucket of an object storage that speaks Amazon's protocol (S3, MinIO, R2, Garage …), addressed by path. A file waits
 * on this machine until all of it is there: it then goes in one request, with its length and sums, and appears whole or not at all.
 */
export function createS3Store(options: S3StoreOptions): BlobStore {
  const { spoolFolder } = options;
  const ask = openS3(options);

  return {
    async write(key, body, { maxBytes }) {
      keepErrorForReader(body);
      const path = toObjectPath(key);
      const spool = join(spoolFolder, randomUUID());
      await mkdir(spoolFolder, { recursive: true, mode: 0o700 });
      try {
        const { size, digests } = await spoolBytes(body, spool, { maxBytes, algorithms: ['md5', 'sha256'] });
        const headers = {
          'content-md5': Buffer.from(digests.md5, 'hex').toString('base64'),
          'x-amz-content-sha256': digests.sha256,
        };
        await discard(await ask('PUT', path, { headers, body: await openAsBlob(spool) }));
        return { size, md5: digests.md5 };
      } finally {
        await rm(spool, { force: true });
      }
    },

    async read(key, range) {
      const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {};
      const { body } = await ask('GET', toObjectPath(key), { headers });
      return body ? Readable.fromWeb(body as ReadableStream) : Readable.from([]);
    },

    async copy(from, to) {
      const headers = { 'x-amz-copy-source': `/${options.bucket}/${toObjectPath(from)}` };
      const answer = await ask('PUT', toObjectPath(to), { headers });
      // The one call that may say "200" first and fail while it copies.
      if ((await answer.text()).includes('<Error>')) throw new Error('object storage could not copy');
    },

    async remove(keys) {
      const paths = keys.map(toObjectPath);
      while (paths.length > 0)
        await Promise.all(paths.splice(0, AT_ONCE).map(async (path) => discard(await ask('DELETE', path))));
    },

    async *list() {
      let token: string | undefined;
      do {
        const page = parseS3List(await (await ask('GET', toListQuery(token))).text());
        for (const { key, modifiedAt } of page.objects) {
          const own = fromObjectKey(key);
          if (own !== undefined) yield { key: own, modifiedAt };
        }
        token = page.nextToken;
      } while (token !== undefined);
    },

    removeUnfinished: (before) => removeOldFiles(spoolFolder, before),
  };
}

/** @throws Error for a key that the server did not make. */
function toObjectPath(key: string): string {
  const parsed = parseBlobKey(key);
  if (!parsed) throw new Error('not a key of stored bytes');
  return `${PREFIX}${encodeURIComponent(encodeBucketId(parsed.bucketId))}/${parsed.version}`;
}

/** Undefined for what the server did not write. */
function fromObjectKey(objectKey: string): string | undefined {
  const [name = '', version = '', ...rest] = objectKey.slice(PREFIX.length).split('/');
  const key = toBlobKey(decodeBucketId(name), version);
  return rest.length === 0 && parseBlobKey(key) ? key : undefined;
}

function toListQuery(token: string | undefined): string {
  const query = new URLSearchParams({ 'list-type': '2', prefix: PREFIX });
  if (token !== undefined) query.set('continuation-token', token);
  return `?${query}`;
}

/** The connection is free again only once its answer has been read. */
async function discard(answer: Response): Promise<void> {
  await answer.arrayBuffer();
}

async function removeOldFiles(folder: string, before: Date): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile() && found.mtime < before) await rm(path, { force: true });
  }
}
