import { createHash } from 'node:crypto';
import type { AwsClient } from 'aws4fetch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FilesBench, type Person, startFiles } from '../test-support/start-files.ts';
import {
  codeOf,
  openS3Client,
  put,
  readTags,
  S3_KEYS,
  type S3Bench,
  sendS3,
  startS3,
} from '../test-support/start-s3.ts';
import { PROJECT_REF } from './authorize.ts';
import { deriveKey, type SignedRequest, signPiece } from './signature.ts';

const EMPTY_HASH = createHash('sha256').digest('hex');

let s3: S3Bench;
let bench: FilesBench;
let ana: Person;
let bia: Person;
beforeAll(async () => {
  s3 = await startS3();
  ({ bench, ana, bia } = s3);
});
afterAll(() => bench.stop());
const asOperator: S3Bench['asOperator'] = (path, init) => s3.asOperator(path, init);
const as: S3Bench['as'] = (person, path, init) => s3.as(person, path, init);
const toUrl = (path: string) => s3.toUrl(path);
const send = (client: AwsClient, path: string) => sendS3(client, toUrl(path));

describe('a signature', () => {
  it('opens the door to the operator and to a session, as whom policies decide', async () => {
    const name = `/gavetas/${ana.id}/nota.txt`;
    expect((await as(ana, name, put('oi', { 'content-type': 'text/plain' }))).status).toBe(200);
    expect(await (await as(ana, name)).text()).toBe('oi');
    expect(await (await asOperator(name)).text()).toBe('oi');
    expect(await codeOf(await as(bia, name))).toEqual([404, 'NoSuchKey']);
    expect(await codeOf(await as(bia, name, put('meu')))).toEqual([403, 'AccessDenied']);
    expect((await as(bia, name, { method: 'DELETE' })).status).toBe(204);
    expect(await (await as(ana, name)).text()).toBe('oi');
    expect(readTags(await (await as(bia, '/gavetas?list-type=2')).text(), 'Key')).toEqual([]);
    expect(readTags(await (await as(ana, '/gavetas?list-type=2')).text(), 'Key')).toEqual([
      `${ana.id}/nota.txt`,
    ]);
  });

  it.each<[string, () => Promise<Response>, number, string]>([
    ['none', () => fetch(toUrl('/publico')), 403, 'AccessDenied'],
    [
      'a token alone',
      () => fetch(toUrl('/publico'), { headers: { authorization: `Bearer ${ana.token}` } }),
      403,
      'AccessDenied',
    ],
    [
      'an unknown key',
      () => send(openS3Client({ ...S3_KEYS, accessKeyId: 'outro' }), '/'),
      403,
      'InvalidAccessKeyId',
    ],
    [
      'another secret',
      () => send(openS3Client({ ...S3_KEYS, secretAccessKey: 'outro' }), '/'),
      403,
      'SignatureDoesNotMatch',
    ],
    [
      'a session without its token',
      () => send(openS3Client({ accessKeyId: PROJECT_REF, secretAccessKey: bench.keyring.anonKey }), '/'),
      403,
      'InvalidAccessKeyId',
    ],
    [
      'a session by the operator’s key',
      () => send(openS3Client({ ...S3_KEYS, sessionToken: ana.token }), '/'),
      403,
      'InvalidAccessKeyId',
    ],
    [
      'a token that is none',
      () =>
        send(
          openS3Client({
            accessKeyId: PROJECT_REF,
            secretAccessKey: bench.keyring.anonKey,
            sessionToken: 'nada',
          }),
          '/',
        ),
      403,
      'InvalidToken',
    ],
    ...['constructor', '__proto__'].map((name): [string, () => Promise<Response>, number, string] => [
      `a header that every object has, ${name}`,
      async () => {
        const session = { accessKeyId: PROJECT_REF, secretAccessKey: 'outro', sessionToken: 'nada' };
        const { headers } = await openS3Client(session).sign(toUrl('/publico'));
        const authorization = headers.get('authorization') ?? '';
        headers.set('authorization', authorization.replace('SignedHeaders=', `SignedHeaders=${name};`));
        return fetch(toUrl('/publico'), { headers });
      },
      403,
      'SignatureDoesNotMatch',
    ]),
    [
      'a date of yesterday',
      async () => {
        const signed = await openS3Client(S3_KEYS).sign(toUrl('/publico'), {
          aws: { datetime: new Date(Date.now() - 86_400_000).toISOString().replace(/[:-]|\.\d{3}/g, '') },
        });
        return fetch(signed);
      },
      403,
      'RequestTimeTooSkewed',
    ],
    [
      'another path than was signed',
      async () => {
        const signed = await openS3Client(S3_KEYS).sign(toUrl('/publico'));
        return fetch(toUrl('/fotos'), { headers: signed.headers });
      },
      403,
      'SignatureDoesNotMatch',
    ],
    [
      'another body than was signed',
      () =>
        asOperator('/publico/corpo.txt', {
          ...put('outro'),
          headers: { 'x-amz-content-sha256': createHash('sha256').update('um').digest('hex') },
        }),
      400,
      'XAmzContentSHA256Mismatch',
    ],
    [
      'another sum than the body’s',
      () => asOperator('/publico/corpo.txt', put('outro', { 'x-amz-checksum-crc32': 'AAAAAA==' })),
      400,
      'BadDigest',
    ],
    [
      'another MD5 than the body’s',
      () =>
        asOperator('/publico/corpo.txt', put('outro', { 'content-md5': createHash('md5').digest('base64') })),
      400,
      'BadDigest',
    ],
  ])('is refused with %s', async (_what, request, status, code) => {
    const before = await bench.countBlobs();
    expect(await codeOf(await request())).toEqual([status, code]);
    expect(await bench.countBlobs()).toBe(before);
    expect((await asOperator('/publico/corpo.txt', { method: 'HEAD' })).status).toBe(404);
  });

  it('in an address opens that address, for as long as it says', async () => {
    await asOperator('/publico/pagina.html', put('<p>oi</p>', { 'content-type': 'text/html' }));
    const sign = async (path: string, method: string, seconds: number) =>
      (
        await openS3Client(S3_KEYS).sign(`${toUrl(path)}?X-Amz-Expires=${seconds}`, {
          method,
          aws: { signQuery: true },
        })
      ).url;
    const address = await sign('/publico/pagina.html', 'GET', 60);
    const answer = await fetch(address);
    expect(await answer.text()).toBe('<p>oi</p>');
    // A browser may open it: nothing of it runs.
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    expect(answer.headers.get('content-security-policy')).toContain('sandbox');
    const typed = await asOperator('/publico/pagina.html', { method: 'HEAD' });
    expect(typed.headers.get('content-type')).toBe('text/html');
    expect(await codeOf(await fetch(address, { method: 'DELETE' }))).toEqual([403, 'SignatureDoesNotMatch']);
    expect(await codeOf(await fetch(address.replace('pagina', 'outra')))).toEqual([
      403,
      'SignatureDoesNotMatch',
    ]);
    expect(await codeOf(await fetch(await sign('/publico/pagina.html', 'GET', 700_000)))).toEqual([
      400,
      'AuthorizationHeaderMalformed',
    ]);
    const upload = await sign('/publico/enviado.txt', 'PUT', 60);
    expect((await fetch(upload, { method: 'PUT', body: 'enviado' })).status).toBe(200);
    // Whoever has it must not have the server copy what only the signer sees.
    const theft = { 'x-amz-copy-source': `gavetas/${ana.id}/nota.txt` };
    expect(await codeOf(await fetch(upload, { method: 'PUT', headers: theft }))).toEqual([
      403,
      'AccessDenied',
    ]);
    expect(await (await asOperator('/publico/enviado.txt')).text()).toBe('enviado');
    bench.advanceClock(61);
    try {
      expect(await codeOf(await fetch(address))).toEqual([403, 'AccessDenied']);
    } finally {
      bench.advanceClock(0);
    }
  });
});

describe('a body in pieces', () => {
  const PIECES = [Buffer.alloc(9000, 'a'), Buffer.from('fim\r\n')];
  const whole = Buffer.concat(PIECES).toString();

  /** As the SDKs write it, each piece signed behind the one before. */
  async function sendPieces(
    path: string,
    {
      spoil = (text: string) => text,
      trailer = '',
    }: { spoil?: (text: string) => string; trailer?: string } = {},
  ) {
    const payload = trailer
      ? 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER'
      : 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD';
    const headers = {
      'x-amz-content-sha256': payload,
      'x-amz-decoded-content-length': String(whole.length),
      'content-encoding': 'aws-chunked',
      'content-type': 'text/plain',
      ...(trailer ? { 'x-amz-trailer': 'x-amz-checksum-sha256' } : {}),
    };
    const signed = await openS3Client(S3_KEYS).sign(toUrl(path), { method: 'PUT', headers });
    const authorization = signed.headers.get('authorization') ?? '';
    const scope = /Credential=[^/]+\/([^,]+)/.exec(authorization)?.[1] ?? '';
    const request = { date: signed.headers.get('x-amz-date') ?? '', scope } as SignedRequest;
    const key = deriveKey(S3_KEYS.secretAccessKey, scope);
    let before = /Signature=(\w+)/.exec(authorization)?.[1] ?? '';
    let body = '';
    for (const piece of [...PIECES, Buffer.alloc(0)]) {
      const hashes = [EMPTY_HASH, createHash('sha256').update(piece).digest('hex')];
      before = signPiece(key, request, { kind: 'PAYLOAD', before, hashes });
      body += `${piece.length.toString(16)};chunk-signature=${before}\r\n${piece}${piece.length > 0 ? '\r\n' : ''}`;
    }
    if (trailer) {
      const hashes = [createHash('sha256').update(`${trailer}\n`).digest('hex')];
      const signature = signPiece(key, request, { kind: 'TRAILER', before, hashes });
      body += `${trailer}\r\nx-amz-trailer-signature:${signature}\r\n`;
    }
    return fetch(toUrl(path), { method: 'PUT', headers: signed.headers, body: spoil(`${body}\r\n`) });
  }
  const sumLine = (text: string) =>
    `x-amz-checksum-sha256:${createHash('sha256').update(text).digest('base64')}`;

  it('is put together, and its own coding is no word about the file', async () => {
    expect((await sendPieces('/publico/pedacos.txt')).status).toBe(200);
    const answer = await asOperator('/publico/pedacos.txt');
    expect([await answer.text(), answer.headers.get('content-encoding')]).toEqual([whole, null]);
    expect((await sendPieces('/publico/soma.txt', { trailer: sumLine(whole) })).status).toBe(200);
  });

  it('need not be signed where its sum is said behind it, and that has to be right', async () => {
    const sendUnsigned = (name: string, sum: string) =>
      asOperator(`/publico/${name}`, {
        method: 'PUT',
        headers: {
          'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
          'x-amz-decoded-content-length': '3',
          'x-amz-trailer': 'x-amz-checksum-crc32',
        },
        body: `3\r\nabc\r\n0\r\nx-amz-checksum-crc32:${sum}\r\n\r\n`,
      });
    // The sum of `abc` by zlib: 352441c2.
    expect((await sendUnsigned('livre.txt', 'NSRBwg==')).status).toBe(200);
    expect(await (await asOperator('/publico/livre.txt')).text()).toBe('abc');
    expect(await codeOf(await sendUnsigned('solto.txt', 'NSRBwQ=='))).toEqual([400, 'BadDigest']);
    expect((await asOperator('/publico/solto.txt', { method: 'HEAD' })).status).toBe(404);
  });

  it.each<[string, Parameters<typeof sendPieces>[1], string]>([
    ['a changed byte', { spoil: (text) => text.replace('fim', 'sim') }, 'SignatureDoesNotMatch'],
    [
      'a piece without a signature',
      { spoil: (text) => text.replace(/;chunk-signature=\w+/, '') },
      'InvalidRequest',
    ],
    [
      'a piece that is longer',
      { spoil: (text) => text.replace('fim\r\n\r\n', 'fim\r\n!\r\n') },
      'InvalidRequest',
    ],
    ['the end left out', { spoil: (text) => text.slice(0, 5000) }, 'IncompleteBody'],
    ['an endless line', { spoil: (text) => text.replace(';', 'x'.repeat(5000)) }, 'InvalidRequest'],
    ['the sum of another body', { trailer: sumLine('outro') }, 'BadDigest'],
    [
      'a sum that was changed on the way',
      { trailer: sumLine('outro'), spoil: (text) => text.replace(sumLine('outro'), sumLine(whole)) },
      'SignatureDoesNotMatch',
    ],
  ])('with %s is no file', async (_what, options, code) => {
    const before = await bench.countBlobs();
    const [, said] = await codeOf(await sendPieces('/publico/errado.txt', options));
    expect(said).toBe(code);
    expect((await asOperator('/publico/errado.txt', { method: 'HEAD' })).status).toBe(404);
    expect(await bench.countBlobs()).toBe(before);
  });
});

it('is not spoken where the operator does not want it', async () => {
  const quiet = await startFiles({ s3Enabled: false });
  try {
    const answer = await openS3Client(S3_KEYS).fetch(`http://127.0.0.1:${quiet.port}/storage/v1/s3/publico`);
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'FeatureNotEnabled' }]);
  } finally {
    await quiet.stop();
  }
});
