import { createHash, randomBytes } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweepOrphans } from '../blobs/sweep-orphans.ts';
import { sweepUploads } from '../resumable/sweep-uploads.ts';
import { type FilesBench, type Person, startFiles } from '../test-support/start-files.ts';
import { PROJECT_REF } from './authorize.ts';
import { deriveKey, type SignedRequest, signPiece } from './signature.ts';

const KEYS = { accessKeyId: 'operador', secretAccessKey: 'um segredo para os testes, bem comprido' };
const EMPTY_HASH = createHash('sha256').digest('hex');

let bench: FilesBench;
let ana: Person;
let bia: Person;
beforeAll(async () => {
  bench = await startFiles({ s3Keys: KEYS });
  await bench.database.admin.query(`
    insert into storage.buckets (id, name) values ('gavetas', 'gavetas');
    create policy own_drawers on storage.objects for all to authenticated
      using (bucket_id = 'gavetas' and (storage.foldername(name))[1] = auth.uid()::text)
      with check (bucket_id = 'gavetas' and (storage.foldername(name))[1] = auth.uid()::text)`);
  [ana, bia] = [await bench.createPerson(), await bench.createPerson()];
});
afterAll(() => bench.stop());

type Init = { method?: string; headers?: Record<string, string>; body?: string | Buffer };
const toUrl = (path: string) => `http://127.0.0.1:${bench.port}/storage/v1/s3${path}`;

function open(credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string }) {
  return new AwsClient({ ...credentials, service: 's3', region: 'sa-east-1', retries: 0 });
}
const send = (client: AwsClient, path: string, { body, ...init }: Init = {}) =>
  client.fetch(toUrl(path), { ...init, ...(body === undefined ? {} : { body: body as BodyInit }) });
const asOperator = (path: string, init?: Init) => send(open(KEYS), path, init);
const as = (person: Person, path: string, init?: Init) =>
  send(
    open({ accessKeyId: PROJECT_REF, secretAccessKey: bench.keyring.anonKey, sessionToken: person.token }),
    path,
    init,
  );
const put = (body: string | Buffer, headers = {}): Init => ({ method: 'PUT', body, headers });
const codeOf = async (answer: Response) =>
  [answer.status, /<Code>(\w+)<\/Code>/.exec(await answer.text())?.[1]] as const;
const readTags = (xml: string, tag: string) =>
  [...xml.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g'))].map(([, text]) => text);

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
    ['an unknown key', () => send(open({ ...KEYS, accessKeyId: 'outro' }), '/'), 403, 'InvalidAccessKeyId'],
    [
      'another secret',
      () => send(open({ ...KEYS, secretAccessKey: 'outro' }), '/'),
      403,
      'SignatureDoesNotMatch',
    ],
    [
      'a session without its token',
      () => send(open({ accessKeyId: PROJECT_REF, secretAccessKey: bench.keyring.anonKey }), '/'),
      403,
      'InvalidAccessKeyId',
    ],
    [
      'a session by the operator’s key',
      () => send(open({ ...KEYS, sessionToken: ana.token }), '/'),
      403,
      'InvalidAccessKeyId',
    ],
    [
      'a token that is none',
      () =>
        send(
          open({ accessKeyId: PROJECT_REF, secretAccessKey: bench.keyring.anonKey, sessionToken: 'nada' }),
          '/',
        ),
      403,
      'InvalidToken',
    ],
    [
      'a date of yesterday',
      async () => {
        const signed = await open(KEYS).sign(toUrl('/publico'), {
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
        const signed = await open(KEYS).sign(toUrl('/publico'));
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
      (await open(KEYS).sign(`${toUrl(path)}?X-Amz-Expires=${seconds}`, { method, aws: { signQuery: true } }))
        .url;
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
    const signed = await open(KEYS).sign(toUrl(path), { method: 'PUT', headers });
    const authorization = signed.headers.get('authorization') ?? '';
    const scope = /Credential=[^/]+\/([^,]+)/.exec(authorization)?.[1] ?? '';
    const request = { date: signed.headers.get('x-amz-date') ?? '', scope } as SignedRequest;
    const key = deriveKey(KEYS.secretAccessKey, scope);
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

describe('files', () => {
  it('keep what is noted of them, are read in part, copied with other notes, and not written over where it is said', async () => {
    const headers = { 'content-type': 'text/plain', 'cache-control': 'max-age=60', 'x-amz-meta-cor': 'azul' };
    const stored = await asOperator('/publico/um (1).txt', put('0123456789', headers));
    const etag = `"${createHash('md5').update('0123456789').digest('hex')}"`;
    expect(stored.headers.get('etag')).toBe(etag);
    const part = await asOperator('/publico/um (1).txt', { headers: { range: 'bytes=2-4' } });
    expect([part.status, await part.text(), part.headers.get('x-amz-meta-cor')]).toEqual([
      206,
      '234',
      'azul',
    ]);
    expect((await asOperator('/publico/um (1).txt', { headers: { range: 'bytes=90-' } })).status).toBe(416);
    expect(
      (
        await asOperator('/publico/um (1).txt', {
          headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' },
        })
      ).status,
    ).toBe(304);
    expect((await asOperator('/publico/um (1).txt', { headers: { 'if-match': '"outro"' } })).status).toBe(
      412,
    );
    const again = await asOperator('/publico/um (1).txt', put('outro', { 'if-none-match': '*' }));
    expect(await codeOf(again)).toEqual([412, 'PreconditionFailed']);

    const source = { 'x-amz-copy-source': encodeURIComponent('/publico/um (1).txt') };
    const copied = await asOperator('/publico/copia.txt', { method: 'PUT', headers: source });
    expect(readTags(await copied.text(), 'ETag')).toEqual([etag.replaceAll('"', '&quot;')]);
    expect((await asOperator('/publico/copia.txt', { method: 'HEAD' })).headers.get('x-amz-meta-cor')).toBe(
      'azul',
    );
    const replace = {
      ...source,
      'x-amz-metadata-directive': 'REPLACE',
      'content-type': 'text/css',
      'x-amz-meta-cor': 'verde',
    };
    await asOperator('/publico/copia.txt', { method: 'PUT', headers: replace });
    const head = await asOperator('/publico/copia.txt', { method: 'HEAD' });
    expect([head.headers.get('content-type'), head.headers.get('x-amz-meta-cor')]).toEqual([
      'text/css',
      'verde',
    ]);
    const stolen = { 'x-amz-copy-source': `gavetas/${ana.id}/nota.txt` };
    await as(ana, `/gavetas/${ana.id}/nota.txt`, put('oi'));
    const theft = await as(bia, `/gavetas/${bia.id}/nota.txt`, { method: 'PUT', headers: stolen });
    expect(await codeOf(theft)).toEqual([404, 'NoSuchKey']);
  });

  it('are as large and of such kinds as their bucket takes, as by any other way in', async () => {
    const png = { 'content-type': 'image/png' };
    expect(await codeOf(await asOperator('/fotos/grande.png', put('x'.repeat(1001), png)))).toEqual([
      413,
      'EntityTooLarge',
    ]);
    expect(
      await codeOf(await asOperator('/fotos/texto.txt', put('x', { 'content-type': 'text/plain' }))),
    ).toEqual([415, 'InvalidMimeType']);
    expect(await codeOf(await asOperator('/publico/a%5Cb', put('x')))).toEqual([400, 'InvalidKey']);
    expect(await codeOf(await asOperator('/nenhum/x.txt', put('x')))).toEqual([404, 'NoSuchBucket']);
  });

  it('go one by one or many at once, but only those that one may delete', async () => {
    for (const name of ['a', 'b', 'c']) await as(ana, `/gavetas/${ana.id}/${name}`, put(name));
    const list = (names: readonly string[]) =>
      `<Delete>${names.map((name) => `<Object><Key>${ana.id}/${name}</Key></Object>`).join('')}</Delete>`;
    const remove = (person: Person, names: readonly string[]) =>
      as(person, '/gavetas?delete', { method: 'POST', body: list(names) });
    await remove(bia, ['a', 'b']);
    expect(await (await as(ana, `/gavetas/${ana.id}/a`)).text()).toBe('a');
    const gone = await (await remove(ana, ['a', 'nada'])).text();
    expect(readTags(gone, 'Key')).toEqual([`${ana.id}/a`, `${ana.id}/nada`]);
    expect(gone).not.toContain('<Error>');
    await bench.database.admin.query(
      `create policy seen_by_all on storage.objects for select to authenticated using (bucket_id = 'gavetas')`,
    );
    try {
      const refused = await (await remove(bia, ['b'])).text();
      expect([readTags(refused, 'Key'), readTags(refused, 'Code')]).toEqual([
        [`${ana.id}/b`],
        ['AccessDenied'],
      ]);
    } finally {
      await bench.database.admin.query('drop policy seen_by_all on storage.objects');
    }
    expect((await as(ana, `/gavetas/${ana.id}/b`, { method: 'DELETE' })).status).toBe(204);
    expect((await as(ana, `/gavetas/${ana.id}/b`)).status).toBe(404);
    for (const body of [
      '',
      '<Delete></Delete>',
      'nada',
      list(Array.from({ length: 1001 }, (_, at) => String(at))),
    ])
      expect(await codeOf(await as(ana, '/gavetas?delete', { method: 'POST', body }))).toEqual([
        400,
        'MalformedXML',
      ]);
  });
});

describe('lists', () => {
  beforeAll(async () => {
    await asOperator('/listas', { method: 'PUT' });
    for (const name of ['a.txt', 'f/1', 'f/2', 'g/1', 'z & <b>.txt'])
      await asOperator(`/listas/${encodeURIComponent(name).replaceAll('%2F', '/')}`, put('x')).then(
        (answer) => expect([name, answer.status]).toEqual([name, name.includes('<') ? 400 : 200]),
      );
    await asOperator('/listas/z%20&%20b.txt', put('x'));
  });
  const list = async (query: string) => (await asOperator(`/listas?${query}`)).text();

  it('are read page by page, flat or by folder', async () => {
    expect(readTags(await list('list-type=2'), 'Key')).toEqual([
      'a.txt',
      'f/1',
      'f/2',
      'g/1',
      'z &amp; b.txt',
    ]);
    const folders = await list('list-type=2&delimiter=/');
    expect([readTags(folders, 'Key'), readTags(folders, 'Prefix')]).toEqual([
      ['a.txt', 'z &amp; b.txt'],
      ['', 'f/', 'g/'],
    ]);
    const seen: (string | undefined)[] = [];
    let token = '';
    do {
      const page = await list(
        `list-type=2&max-keys=2${token && `&continuation-token=${encodeURIComponent(token)}`}`,
      );
      seen.push(...readTags(page, 'Key'));
      [token = ''] = readTags(page, 'NextContinuationToken');
    } while (token !== '');
    expect(seen).toEqual(['a.txt', 'f/1', 'f/2', 'g/1', 'z &amp; b.txt']);
    expect(readTags(await list('list-type=2&start-after=f/'), 'Key')).toEqual([
      'f/1',
      'f/2',
      'g/1',
      'z &amp; b.txt',
    ]);
    expect(readTags(await list('list-type=2&prefix=f/&encoding-type=url'), 'Key')).toEqual(['f/1', 'f/2']);
  });

  it('have their older form, which goes on behind a name', async () => {
    const page = await list('max-keys=2&delimiter=/');
    expect([readTags(page, 'Key'), readTags(page, 'NextMarker'), readTags(page, 'IsTruncated')]).toEqual([
      ['a.txt'],
      ['f/'],
      ['true'],
    ]);
    const next = await list('delimiter=/&marker=f/');
    expect([readTags(next, 'Key'), readTags(next, 'Prefix')]).toEqual([['z &amp; b.txt'], ['', 'g/']]);
  });

  it.each([
    ['list-type=2&continuation-token=nada', 400, 'InvalidParameter'],
    ['list-type=2&max-keys=x', 400, 'InvalidParameter'],
    ['list-type=2&delimiter=x', 501, 'NotImplemented'],
    ['acl', 501, 'NotImplemented'],
  ])('are refused: %s', async (query, status, code) => {
    expect(await codeOf(await asOperator(`/listas?${query}`))).toEqual([status, code]);
  });
});

describe('buckets', () => {
  it('are made, found, listed and deleted, by the operator', async () => {
    expect((await asOperator('/novo', { method: 'PUT' })).status).toBe(200);
    expect(await codeOf(await asOperator('/novo', { method: 'PUT' }))).toEqual([409, 'BucketAlreadyExists']);
    expect((await asOperator('/novo', { method: 'HEAD' })).headers.get('x-amz-bucket-region')).toBe(
      'sa-east-1',
    );
    expect(readTags(await (await asOperator('/')).text(), 'Name')).toContain('novo');
    expect(await (await asOperator('/novo?location')).text()).toContain('LocationConstraint');
    await asOperator('/novo/x', put('x'));
    expect(await codeOf(await asOperator('/novo', { method: 'DELETE' }))).toEqual([409, 'BucketNotEmpty']);
    await asOperator('/novo/x', { method: 'DELETE' });
    expect((await asOperator('/novo', { method: 'DELETE' })).status).toBe(204);
    expect((await asOperator('/novo', { method: 'HEAD' })).status).toBe(404);
  });

  it('are nobody else’s', async () => {
    expect(await codeOf(await as(ana, '/dela', { method: 'PUT' }))).toEqual([403, 'AccessDenied']);
    expect(readTags(await (await as(ana, '/')).text(), 'Name')).toEqual([]);
    expect(await codeOf(await as(ana, '/gavetas', { method: 'DELETE' }))).toEqual([404, 'NoSuchBucket']);
  });
});

describe('a file that comes in parts', () => {
  const begin = async (person: Person, name: string, headers = {}) => {
    const answer = await as(person, `/gavetas/${name}?uploads`, { method: 'POST', headers });
    expect(answer.status).toBe(200);
    return readTags(await answer.text(), 'UploadId')[0] ?? '';
  };
  const part = (person: Person, name: string, id: string, number: number, body: string | Buffer) =>
    as(person, `/gavetas/${name}?partNumber=${number}&uploadId=${id}`, put(body));
  const complete = (
    person: Person,
    name: string,
    id: string,
    parts: readonly (readonly [number, string])[],
  ) =>
    as(person, `/gavetas/${name}?uploadId=${id}`, {
      method: 'POST',
      body: `<CompleteMultipartUpload>${parts
        .map(([number, etag]) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`)
        .join('')}</CompleteMultipartUpload>`,
    });
  const etagOf = (answer: Response) => (answer.headers.get('etag') ?? '').replaceAll('"', '&quot;');

  it('is whole when it is said to be, in the order of its parts, with its notes; the parts are gone', async () => {
    const before = await bench.countBlobs();
    const name = `${ana.id}/grande.bin`;
    const id = await begin(ana, name, { 'content-type': 'text/plain', 'x-amz-meta-cor': 'azul' });
    const [b1, b2] = [randomBytes(70_000), randomBytes(60_000)];
    const second = await part(ana, name, id, 2, b2);
    await part(ana, name, id, 1, 'escrito por engano');
    const first = await part(ana, name, id, 1, b1);
    const listed = await (await as(ana, `/gavetas/${name}?uploadId=${id}`)).text();
    expect([readTags(listed, 'PartNumber'), readTags(listed, 'Size')]).toEqual([
      ['1', '2'],
      ['70000', '60000'],
    ]);
    expect(readTags(await (await as(ana, '/gavetas?uploads')).text(), 'UploadId')).toEqual([id]);
    expect((await as(ana, `/gavetas/${name}`)).status).toBe(404);
    const parts = [
      [1, etagOf(first)],
      [2, etagOf(second)],
    ] as const;
    expect(await codeOf(await complete(ana, name, id, parts.toReversed()))).toEqual([
      400,
      'InvalidPartOrder',
    ]);
    expect(await codeOf(await complete(ana, name, id, [[1, etagOf(second)]]))).toEqual([400, 'InvalidPart']);
    expect(await codeOf(await complete(ana, name, id, [[3, etagOf(second)]]))).toEqual([400, 'InvalidPart']);
    expect((await complete(ana, name, id, parts)).status).toBe(200);
    const whole = await as(ana, `/gavetas/${name}`);
    expect(Buffer.from(await whole.arrayBuffer()).equals(Buffer.concat([b1, b2]))).toBe(true);
    expect([whole.headers.get('content-type'), whole.headers.get('x-amz-meta-cor')]).toEqual([
      'text/plain',
      'azul',
    ]);
    expect(await bench.countBlobs()).toBe(before + 1);
    expect(await codeOf(await complete(ana, name, id, parts))).toEqual([404, 'NoSuchUpload']);
  });

  it('may have parts of other files, which its sender sees', async () => {
    await as(ana, `/gavetas/${ana.id}/fonte`, put('0123456789'));
    const name = `${ana.id}/montado`;
    const id = await begin(ana, name);
    const copy = (person: Person, target: string, upload: string, headers: Record<string, string>) =>
      as(person, `/gavetas/${target}?partNumber=1&uploadId=${upload}`, { method: 'PUT', headers });
    const source = { 'x-amz-copy-source': `gavetas/${ana.id}/fonte` };
    expect(
      await codeOf(await copy(ana, name, id, { ...source, 'x-amz-copy-source-range': 'bytes=5-20' })),
    ).toEqual([416, 'InvalidRange']);
    const copied = await (
      await copy(ana, name, id, { ...source, 'x-amz-copy-source-range': 'bytes=2-4' })
    ).text();
    expect((await complete(ana, name, id, [[1, readTags(copied, 'ETag')[0] ?? '']])).status).toBe(200);
    expect(await (await as(ana, `/gavetas/${name}`)).text()).toBe('234');
    const own = await begin(bia, `${bia.id}/roubo`);
    expect(await codeOf(await copy(bia, `${bia.id}/roubo`, own, source))).toEqual([404, 'NoSuchKey']);
    await as(bia, `/gavetas/${bia.id}/roubo?uploadId=${own}`, { method: 'DELETE' });
  });

  it('is its sender’s alone, and begins only where its sender may write', async () => {
    const name = `${ana.id}/dela`;
    const id = await begin(ana, name);
    const stranger = { method: 'POST' };
    expect(await codeOf(await as(bia, `/gavetas/${name}?uploads`, stranger))).toEqual([403, 'AccessDenied']);
    for (const answer of [
      await part(bia, name, id, 1, 'x'),
      await as(bia, `/gavetas/${name}?uploadId=${id}`),
      await as(bia, `/gavetas/${name}?uploadId=${id}`, { method: 'DELETE' }),
      await complete(bia, name, id, [[1, 'x']]),
      await part(ana, `${ana.id}/outro`, id, 1, 'x'),
      await part(ana, name, 'nada', 1, 'x'),
    ])
      expect(await codeOf(answer)).toEqual([404, 'NoSuchUpload']);
    expect(readTags(await (await as(bia, '/gavetas?uploads')).text(), 'UploadId')).toEqual([]);
    expect(readTags(await (await asOperator('/gavetas?uploads')).text(), 'UploadId')).toContain(id);
    expect((await as(ana, `/gavetas/${name}?uploadId=${id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await codeOf(await part(ana, name, id, 1, 'x'))).toEqual([404, 'NoSuchUpload']);
  });

  it('of a visitor is shown to no other visitor', async () => {
    await bench.database.admin.query(
      `create policy of_visitors on storage.objects for all to anon using (name = 'deles') with check (name = 'deles')`,
    );
    const visitor = { id: '', token: bench.keyring.anonKey };
    const begun = await as(visitor, '/publico/deles?uploads', { method: 'POST' });
    const [id] = readTags(await begun.text(), 'UploadId');
    expect((await as(visitor, `/publico/deles?partNumber=1&uploadId=${id}`, put('x'))).status).toBe(200);
    expect(readTags(await (await as(visitor, '/publico?uploads')).text(), 'UploadId')).toEqual([]);
    expect(readTags(await (await asOperator('/publico?uploads')).text(), 'UploadId')).toEqual([id]);
    await asOperator(`/publico/deles?uploadId=${id}`, { method: 'DELETE' });
    await bench.database.admin.query('drop policy of_visitors on storage.objects');
  });

  it('is no larger than a file may be, and leaves nothing when it is refused, given up or forgotten', async () => {
    const before = await bench.countBlobs();
    const name = `${ana.id}/enorme`;
    const id = await begin(ana, name);
    await part(ana, name, id, 1, Buffer.alloc(150_000));
    expect(await codeOf(await part(ana, name, id, 2, Buffer.alloc(60_000)))).toEqual([413, 'EntityTooLarge']);
    expect(await codeOf(await part(ana, name, id, 0, 'x'))).toEqual([400, 'InvalidParameter']);
    expect(await codeOf(await part(ana, name, id, 10_001, 'x'))).toEqual([400, 'InvalidParameter']);
    expect(await bench.countBlobs()).toBe(before + 1);
    const logger = { info: () => undefined, warn: () => undefined };
    const later = new Date(Date.now() + 2 * 86_400_000);
    const sweep = { db: bench.db, blobs: bench.blobs, logger, now: () => later };
    await sweepOrphans(sweep);
    expect(await bench.countBlobs()).toBe(before + 1);
    await bench.database.admin.query(
      `update storage.s3_multipart_uploads set created_at = now() - interval '25 hours' where id = $1`,
      [id],
    );
    await sweepUploads(sweep);
    expect(await bench.countBlobs()).toBe(before);
    expect(await codeOf(await part(ana, name, id, 1, 'x'))).toEqual([404, 'NoSuchUpload']);
  });

  it('is not larger either when its parts come at once; of two of one number one stays, and nothing of the other', async () => {
    const before = await bench.countBlobs();
    const name = `${ana.id}/agora`;
    const id = await begin(ana, name);
    const large = await Promise.all(
      [1, 2, 3, 4].map((number) => part(ana, name, id, number, Buffer.alloc(90_000))),
    );
    const kept = large.filter(({ status }) => status === 200).length;
    expect(kept).toBe(2);
    await Promise.all([1, 2, 3, 4].map((at) => part(ana, name, id, 9, `${at}`)));
    const listed = await (await as(ana, `/gavetas/${name}?uploadId=${id}`)).text();
    expect(readTags(listed, 'PartNumber')).toHaveLength(3);
    expect(await bench.countBlobs()).toBe(before + 3);
    await as(ana, `/gavetas/${name}?uploadId=${id}`, { method: 'DELETE' });
    expect(await bench.countBlobs()).toBe(before);
  });

  it('counts with the person’s other unfinished ones, of which there are a hundred at most', async () => {
    const person = await bench.createPerson();
    const name = `${person.id}/muitos`;
    const first = await begin(person, name);
    await bench.database.admin.query(
      `insert into storage.s3_multipart_uploads (id, bucket_id, key, role, owner_id, mimetype, cache_control)
        select gen_random_uuid(), 'gavetas', $2, 'authenticated', $1, 'text/plain', 'no-cache' from generate_series(1, 100)`,
      [person.id, name],
    );
    expect(await codeOf(await as(person, `/gavetas/${name}?uploads`, { method: 'POST' }))).toEqual([
      503,
      'SlowDown',
    ]);
    expect(await codeOf(await part(person, name, first, 1, 'x'))).toEqual([503, 'SlowDown']);
  });
});

it('is not spoken where the operator does not want it', async () => {
  const quiet = await startFiles({ s3Enabled: false });
  try {
    const answer = await open(KEYS).fetch(`http://127.0.0.1:${quiet.port}/storage/v1/s3/publico`);
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'FeatureNotEnabled' }]);
  } finally {
    await quiet.stop();
  }
});
