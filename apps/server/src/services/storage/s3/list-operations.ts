import { listPage, readCursor, writeCursor } from '../records/list-page.ts';
import { storageError } from '../storage-error.ts';
import { requireBucket } from './bucket-operations.ts';
import { readNumber, type S3Operation, type S3Request } from './request.ts';
import { sendXml, type XmlElements } from './xml.ts';

const MOST_KEYS = 1000;
const SORTING = 's3';
/** Below every character that a name may have: with it behind, a name that ends like a folder's is not taken for one. */
const LOWEST = '\u0001';

/** GET /BUCKET?list-type=2: a page of the files that the caller sees, by folder where a slash is the delimiter. */
export const listObjectsV2: S3Operation = async (request) => {
  const { query, reply } = request;
  const token = query.get('continuation-token');
  const startAfter = query.get('start-after') ?? '';
  const page = await readPage(request, token ? readToken(token) : toBound(startAfter));
  return sendXml(reply, 'ListBucketResult', {
    ...page.described,
    KeyCount: page.count,
    ...(token ? { ContinuationToken: token } : {}),
    ...(startAfter === '' ? {} : { StartAfter: page.encode(startAfter) }),
    ...(page.last === undefined
      ? {}
      : { NextContinuationToken: writeCursor(SORTING, { name: page.last, value: '' }) }),
    ...page.entries,
  });
};

/** GET /BUCKET: the same by its older name, which goes on behind a key. */
export const listObjects: S3Operation = async (request) => {
  const marker = request.query.get('marker') ?? '';
  const isFolder = request.query.get('delimiter') === '/' && marker.endsWith('/');
  const page = await readPage(request, isFolder ? marker : toBound(marker));
  return sendXml(request.reply, 'ListBucketResult', {
    ...page.described,
    Marker: page.encode(marker),
    ...(page.last === undefined ? {} : { NextMarker: page.encode(page.last) }),
    ...page.entries,
  });
};

type Page = {
  readonly described: XmlElements;
  readonly entries: XmlElements;
  readonly count: number;
  /** The last name, where more follow. */
  readonly last: string | undefined;
  readonly encode: (text: string) => string;
};

async function readPage(request: S3Request, after: string | undefined): Promise<Page> {
  const { deps, call, query, bucket } = request;
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  if (delimiter !== '' && delimiter !== '/') throw storageError.notImplemented();
  const limit = readNumber(request, 'max-keys', { least: 0, most: MOST_KEYS, otherwise: MOST_KEYS });
  const encode = query.get('encoding-type') === 'url' ? encodeKey : (text: string) => text;
  await requireBucket(deps, bucket);
  const found =
    limit === 0
      ? []
      : await call.read((tx) =>
          listPage(tx, {
            bucket,
            prefix,
            byFolder: delimiter === '/',
            column: 'name',
            order: 'asc',
            after: after === undefined ? undefined : { name: after, value: '' },
            limit,
          }),
        );
  const entries = found.slice(0, limit);
  const isTruncated = found.length > limit;
  return {
    encode,
    count: entries.length,
    last: isTruncated ? entries.at(-1)?.name : undefined,
    described: {
      Name: bucket,
      Prefix: encode(prefix),
      MaxKeys: limit,
      ...(delimiter === '' ? {} : { Delimiter: delimiter }),
      ...(query.get('encoding-type') === 'url' ? { EncodingType: 'url' } : {}),
      IsTruncated: isTruncated,
    },
    entries: {
      Contents: entries
        .filter(({ id }) => id !== null)
        .map(({ name, metadata, updated_at: updatedAt }) => ({
          Key: encode(name),
          LastModified: new Date(metadata?.lastModified ?? updatedAt).toISOString(),
          ETag: metadata?.eTag ?? '""',
          Size: metadata?.size ?? 0,
          StorageClass: 'STANDARD',
        })),
      CommonPrefixes: entries.filter(({ id }) => id === null).map(({ name }) => ({ Prefix: encode(name) })),
    },
  };
}

/** Behind which name to go on, whatever it ends with. */
function toBound(name: string): string | undefined {
  return name === '' ? undefined : `${name}${LOWEST}`;
}

function readToken(token: string): string {
  const cursor = readCursor(SORTING, token);
  if (!cursor) throw storageError.invalidParameter('continuation-token');
  return cursor.name;
}

function encodeKey(text: string): string {
  return encodeURIComponent(text).replaceAll('%2F', '/');
}
