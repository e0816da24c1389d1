import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export type S3Server = {
  readonly endpoint: string;
  readonly objects: ReadonlyMap<string, Buffer>;
  /** Parts of uploads that are neither finished nor given up, by upload. */
  readonly uploads: ReadonlyMap<string, UnfinishedUpload>;
  stop(): Promise<void>;
};

type UnfinishedUpload = { readonly key: string; readonly parts: Map<number, Buffer> };

type Account = { readonly accessKeyId: string; readonly secretAccessKey: string; readonly region: string };

const PAGE = 3;

/**
 * As much of an object storage as the store asks for, kept in memory. Signatures are checked by Amazon's description of them
 * (Signature Version 4), not with the code that makes them.
 */
export async function startS3Server(bucket: string, account: Account): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, UnfinishedUpload>();
  const server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => undefined);
    if (body) answer(request, body, response);
  });
  const fail = (response: ServerResponse, status: number, code: string) =>
    response.writeHead(status).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);

  function answer(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://x');
    const [, inBucket = '', ...parts] = url.pathname.split('/').map(decodeURIComponent);
    const key = parts.join('/');
    if (!isSigned(request, url, body, account)) return void fail(response, 403, 'SignatureDoesNotMatch');
    if (inBucket !== bucket) return void fail(response, 404, 'NoSuchBucket');
    if (url.searchParams.has('uploads') || url.searchParams.has('uploadId'))
      return void answerUpload(request, { url, key, body }, response);
    if (key === '') return void response.end(list(url.searchParams));
    const source = request.headers['x-amz-copy-source'];
    const found = objects.get(
      typeof source === 'string' ? decodeURIComponent(source.slice(bucket.length + 2)) : key,
    );
    if (request.method === 'DELETE') {
      objects.delete(key);
      return void response.writeHead(204).end();
    }
    if (request.method === 'PUT' && source === undefined) {
      if (!isWhole(request, body)) return void fail(response, 400, 'BadDigest');
      objects.set(key, body);
      return void response.end();
    }
    if (!found) return void fail(response, 404, 'NoSuchKey');
    if (request.method === 'HEAD') return void response.end();
    if (request.method === 'PUT') {
      objects.set(key, found);
      return void response.end('<CopyObjectResult/>');
    }
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (start === undefined) response.end(found);
    else response.writeHead(206).end(found.subarray(Number(start), Number(end) + 1));
  }

  /** An object that comes in parts. */
  function answerUpload(
    request: IncomingMessage,
    { url, key, body }: { readonly url: URL; readonly key: string; readonly body: Buffer },
    response: ServerResponse,
  ): void {
    const id = url.searchParams.get('uploadId') ?? '';
    const upload = uploads.get(id);
    if (request.method === 'GET') return void response.end(listUploads(url.searchParams.get('prefix') ?? ''));
    if (url.searchParams.has('uploads')) {
      const newId = `${uploads.size + 1}/"&+${key.length}`;
      uploads.set(newId, { key, parts: new Map() });
      const written = newId.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
      return void response.end(`<X><UploadId>${written}</UploadId></X>`);
    }
    if (upload?.key !== key) return void fail(response, 404, 'NoSuchUpload');
    if (request.method === 'DELETE') {
      uploads.delete(id);
      return void response.writeHead(204).end();
    }
    if (!isWhole(request, body)) return void fail(response, 400, 'BadDigest');
    if (request.method === 'PUT') {
      upload.parts.set(Number(url.searchParams.get('partNumber')), body);
      return void response.setHeader('etag', tagOf(body)).end();
    }
    const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)];
    const parts = named.map(([, number, tag]) => {
      const part = upload.parts.get(Number(number));
      return part !== undefined && tagOf(part) === tag ? part : undefined;
    });
    if (parts.length !== upload.parts.size || parts.includes(undefined))
      return void response.end('<Error><Code>InvalidPart</Code></Error>');
    objects.set(key, Buffer.concat(parts as Buffer[]));
    uploads.delete(id);
    response.end('<CompleteMultipartUploadResult/>');
  }

  function listUploads(prefix: string): string {
    const found = [...uploads].filter(([, { key }]) => key.startsWith(prefix));
    const entries = found.map(
      ([id, { key }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}</UploadId><Initiated>2026-01-01T00:00:00.000Z</Initiated></Upload>`,
    );
    return `<ListMultipartUploadsResult>${entries.join('')}</ListMultipartUploadsResult>`;
  }

  function list(query: URLSearchParams): string {
    const after = query.get('continuation-token') ?? '';
    const keys = [...objects.keys()]
      .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
      .sort();
    const page = keys.slice(0, PAGE);
    const isCut = keys.length > PAGE;
    const contents = page.map(
      (key) =>
        `<Contents><Key>${key.replaceAll('&', '&amp;')}</Key><LastModified>${new Date().toISOString()}</LastModified></Contents>`,
    );
    const next = isCut
      ? `<NextContinuationToken>${page.at(-1)?.replaceAll('&', '&amp;')}</NextContinuationToken>`
      : '';
    return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isCut}</IsTruncated>${contents.join('')}${next}</ListBucketResult>`;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    uploads,
    stop: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

const tagOf = (part: Buffer) => `"${createHash('md5').update(part).digest('hex')}"`;

function isWhole({ headers }: IncomingMessage, body: Buffer): boolean {
  return (
    Number(headers['content-length']) === body.length &&
    headers['content-md5'] === createHash('md5').update(body).digest('base64') &&
    headers['x-amz-content-sha256'] === createHash('sha256').update(body).digest('hex')
  );
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

function isSigned(
  { method = '', headers }: IncomingMessage,
  url: URL,
  body: Buffer,
  account: Account,
): boolean {
  const [, credential = '', signedHeaders = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]+)$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const time = String(headers['x-amz-date']);
  const scope = [time.slice(0, 8), account.region, 's3', 'aws4_request'];
  const payload = String(headers['x-amz-content-sha256']);
  const canonical = [
    method,
    url.pathname.split('/').map(decodeURIComponent).map(encode).join('/'),
    [...url.searchParams]
      .map((pair) => pair.map(encode).join('='))
      .sort()
      .join('&'),
    ...signedHeaders.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signedHeaders,
    payload,
  ].join('\n');
  const key = scope.reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${account.secretAccessKey}`,
  );
  const toSign = [
    'AWS4-HMAC-SHA256',
    time,
    scope.join('/'),
    createHash('sha256').update(canonical).digest('hex'),
  ];
  return (
    credential === `${account.accessKeyId}/${scope.join('/')}` &&
    (body.length === 0 || payload !== 'UNSIGNED-PAYLOAD') &&
    signature === hmac(key, toSign.join('\n')).toString('hex')
  );
}
