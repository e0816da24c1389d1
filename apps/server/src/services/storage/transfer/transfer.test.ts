import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FilesBench, type Person, startFiles } from '../test-support/start-files.ts';

let bench: FilesBench;
let ana: Person;
let stranger: Person;
beforeAll(async () => {
  bench = await startFiles();
  ana = await bench.createPerson();
  stranger = await bench.createPerson();
});
afterAll(() => bench.stop());

const own = (name: string, person = ana) => `/object/arquivos/${person.id}/${name}`;
const put = (path: string, body: BodyInit, headers: Record<string, string> = {}, as: Person | string = ana) =>
  bench.ask('POST', path, { as, body, headers: { 'content-type': 'text/plain', ...headers } });
const REFUSED = { statusCode: '403', error: 'Unauthorized', code: 'AccessDenied' };

describe('an upload', () => {
  it('keeps a body with what was said about it, and gives it back', async () => {
    const bytes = randomBytes(150_000);
    const uploaded = await put(own('pasta/foto.png'), bytes, {
      'content-type': 'image/png',
      'cache-control': 'max-age=60',
      'x-metadata': Buffer.from('{"álbum":"férias"}').toString('base64'),
    });
    expect(uploaded.status).toBe(200);
    const key = `arquivos/${ana.id}/pasta/foto.png`;
    expect(await uploaded.json()).toEqual({ Id: expect.stringMatching(/^[0-9a-f-]{36}$/), Key: key });

    const file = await bench.ask('GET', own('pasta/foto.png'), { as: ana });
    expect(file.status).toBe(200);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(bytes);
    const eTag = `"${createHash('md5').update(bytes).digest('hex')}"`;
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': '150000',
      'cache-control': 'max-age=60',
      'accept-ranges': 'bytes',
      etag: eTag,
      'x-content-type-options': 'nosniff',
      vary: expect.stringContaining('Authorization'),
    });
    const info = await (
      await bench.ask('GET', own('pasta/foto.png').replace('/object/', '/object/info/'), { as: ana })
    ).json();
    expect(info).toMatchObject({
      size: 150_000,
      content_type: 'image/png',
      etag: eTag,
      metadata: { álbum: 'férias' },
    });
  });

  it('takes a form: fields, and the file under any name', async () => {
    const form = new FormData();
    form.append('cacheControl', '120');
    form.append('metadata', '{"a":1}');
    form.append('', new File(['conteúdo'], 'relatório.txt', { type: 'text/plain' }));
    const { status } = await bench.ask('POST', own('formulario.txt'), { as: ana, body: form });
    expect(status).toBe(200);
    const file = await bench.ask('GET', own('formulario.txt'), { as: ana });
    expect([file.headers.get('cache-control'), await file.text()]).toEqual(['max-age=120', 'conteúdo']);
  });

  it('notes what is said of a file, by the service and by whoever sends it', async () => {
    const recordOf = async (name: string) => {
      const { rows } = await bench.database.admin.query(
        'select metadata, user_metadata, owner_id from storage.objects where name = $1',
        [`${ana.id}/${name}`],
      );
      return rows[0];
    };
    const md5 = createHash('md5').update('conteúdo').digest('hex');
    const service = {
      ...{ eTag: `"${md5}"`, size: 9, contentLength: 9, httpStatusCode: 200 },
      lastModified: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    };
    expect((await put(own('so.txt'), 'conteúdo')).status).toBe(200);
    expect(await recordOf('so.txt')).toEqual({
      metadata: { ...service, mimetype: 'text/plain', cacheControl: 'no-cache' },
      user_metadata: null,
      owner_id: ana.id,
    });

    const form = new FormData();
    form.append('contentType', 'image/png');
    form.append('', new File(['conteúdo'], 'nome.txt', { type: 'text/plain' }));
    // Behind the file, too.
    for (const [name, value] of [
      ['cacheControl', '7'],
      ['contentEncoding', 'identity'],
      ['userMetadata', '{"a":1}'],
    ] as const)
      form.append(name, value);
    expect((await bench.ask('POST', own('dito.png'), { as: ana, body: form })).status).toBe(200);
    expect(await recordOf('dito.png')).toEqual({
      metadata: {
        ...service,
        ...{ mimetype: 'image/png', cacheControl: 'max-age=7', contentEncoding: 'identity' },
      },
      user_metadata: { a: 1 },
      owner_id: ana.id,
    });
  });

  it.each(['[1]', '7', '"x"', 'null', 'torto', ''])(
    'counts notes that are no object for none: %s',
    async (json) => {
      const headers = { 'x-metadata': Buffer.from(json).toString('base64'), 'x-upsert': 'true' };
      expect((await put(own('notas.txt'), 'x', headers)).status).toBe(200);
      const { rows } = await bench.database.admin.query(
        `select user_metadata from storage.objects where name like '%/notas.txt'`,
      );
      expect(rows).toEqual([{ user_metadata: null }]);
    },
  );

  it('is refused for words that no header can hold, in a header or in a field', async () => {
    const blobs = await bench.countBlobs();
    const form = new FormData();
    form.append('contentEncoding', 'gzip\r\nx: y');
    form.append('', new Blob(['x']));
    for (const [name, refused] of [
      ['cache-control', await put(own('torto.txt'), 'x', { 'cache-control': 'x'.repeat(201) })],
      ['content-encoding', await put(own('torto.txt'), 'x', { 'content-encoding': 'x'.repeat(201) })],
      ['contentEncoding', await bench.ask('POST', own('torto.txt'), { as: ana, body: form })],
    ] as const)
      expect(await refused.json()).toMatchObject({
        code: 'InvalidParameter',
        message: `Invalid Parameter ${name}`,
      });
    expect(await bench.countBlobs()).toBe(blobs);
  });

  it('takes ten fields of a form, and not one more', async () => {
    const answerTo = async (fields: number) => {
      const form = new FormData();
      for (let at = 0; at < fields; at += 1) form.append(`n${at}`, 'x');
      form.append('', new Blob(['x']));
      return (await bench.ask('PUT', own('campos.txt'), { as: ana, body: form })).json();
    };
    expect(await answerTo(10)).toHaveProperty('Key');
    expect(await answerTo(11)).toMatchObject({ message: 'The form has too many fields' });
  });

  it('marks an empty folder whatever its bucket takes, and keeps no byte under that name', async () => {
    const mark = (name: string, body: string, path = '/object/fotos/') =>
      bench.ask('PUT', `${path}${name}`, { as: ana, body, headers: { 'content-type': 'text/plain' } });
    for (const name of ['.emptyFolderPlaceholder', 'pasta/.emptyFolderPlaceholder'])
      expect((await mark(name, '')).status).toBe(200);
    expect(await (await mark('.emptyFolderPlaceholder', 'x')).json()).toMatchObject({ statusCode: '413' });
    for (const name of ['x.emptyFolderPlaceholder', '.emptyFolderPlaceholder.txt'])
      expect(await (await mark(name, '')).json()).toMatchObject({ statusCode: '415' });
    const send = async (act: string, sourceKey: string, destinationKey: string, from = 'fotos') => {
      const body = { bucketId: from, sourceKey, destinationBucket: 'fotos', destinationKey };
      const headers = { 'content-type': 'application/json' };
      return bench.ask('POST', `/object/${act}`, { as: ana, headers, body: JSON.stringify(body) });
    };
    expect((await send('copy', '.emptyFolderPlaceholder', 'a/.emptyFolderPlaceholder')).status).toBe(200);
    await mark('.emptyFolderPlaceholder', '', '/object/publico/');
    await mark('cheio.txt', 'x', '/object/publico/');
    const toMark = (act: string, name: string, to: string) => send(act, name, to, 'publico');
    for (const act of ['copy', 'move']) {
      const full = await toMark(act, 'cheio.txt', 'b/.emptyFolderPlaceholder');
      expect(await full.json()).toMatchObject({ statusCode: '413' });
      const other = await toMark(act, '.emptyFolderPlaceholder', 'b/nota.txt');
      expect(await other.json()).toMatchObject({ statusCode: '415' });
    }
    expect((await toMark('move', '.emptyFolderPlaceholder', 'b/.emptyFolderPlaceholder')).status).toBe(200);
  });

  it('writes over a file only when it says so; PUT says so', async () => {
    await put(own('nota.txt'), 'um');
    const blobs = await bench.countBlobs();
    const again = await put(own('nota.txt'), 'dois');
    expect(again.status).toBe(400);
    expect(await again.json()).toMatchObject({
      statusCode: '409',
      error: 'Duplicate',
      code: 'KeyAlreadyExists',
    });
    expect((await put(own('nota.txt'), 'dois', { 'x-upsert': 'false' })).status).toBe(400);
    expect((await put(own('nota.txt'), 'dois', { 'x-upsert': 'true' })).status).toBe(200);
    expect((await bench.ask('PUT', own('nota.txt'), { as: ana, body: 'três' })).status).toBe(200);
    expect(await (await bench.ask('GET', own('nota.txt'), { as: ana })).text()).toBe('três');
    // The bytes of the former ones are gone.
    expect(await bench.countBlobs()).toBe(blobs);
  });

  it('of an empty file, and one without a type, is a file all the same', async () => {
    await bench.ask('POST', own('vazio.bin'), { as: ana, body: new Uint8Array(0) });
    const file = await bench.ask('GET', own('vazio.bin'), { as: ana });
    expect([file.status, file.headers.get('content-length')]).toEqual([200, '0']);
    expect(file.headers.get('content-type')).toBe('application/octet-stream');
    expect(
      (await bench.ask('GET', own('vazio.bin'), { as: ana, headers: { range: 'bytes=0-' } })).status,
    ).toBe(416);
  });

  it('is refused before its bytes: for strangers, visitors, other folders, and buckets that are not there', async () => {
    const blobs = await bench.countBlobs();
    for (const as of [stranger, bench.keyring.anonKey]) {
      const refused = await put(own('intruso.txt'), 'x', {}, as);
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject(REFUSED);
    }
    const nobody = await bench.ask('POST', own('intruso.txt'), { body: 'x' });
    expect(await nobody.json()).toMatchObject({ message: expect.stringContaining('authorization') });
    expect(await (await put('/object/nenhum/a.txt', 'x')).json()).toMatchObject({ code: 'NoSuchBucket' });
    expect(await (await put(own('a.txt'), 'x', {}, 'torto')).json()).toMatchObject({ statusCode: '403' });
    for (const name of ['..%2f..%2ffora.txt', 'a%00b', 'a%2f%2e%2e%2fb', `${'n'.repeat(1100)}`])
      expect((await put(own(name), 'x')).status).toBe(400);
    expect(await bench.countBlobs()).toBe(blobs);
  });

  it('is refused when a file is too large, announced or not, and leaves nothing', async () => {
    const blobs = await bench.countBlobs();
    const large = new Uint8Array(200_001);
    const form = new FormData();
    form.append('', new Blob([large]));
    const stream = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(65_536));
        sent += 65_536;
        if (sent > 3_000_000) controller.close();
      },
    });
    let sent = 0;
    for (const body of [large, form, stream]) {
      const refused = await bench.ask('POST', own('grande.bin'), { as: ana, body });
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({ statusCode: '413', error: 'Payload too large' });
    }
    expect((await put(own('cabe.bin'), new Uint8Array(200_000))).status).toBe(200);
    expect(await bench.countBlobs()).toBe(blobs + 1);
  });

  it.each([
    ['a body', (file: Blob) => file],
    [
      'a form',
      (file: Blob) => {
        const form = new FormData();
        form.append('', file);
        return form;
      },
    ],
    ['a stream', (file: Blob) => file.stream()],
  ])('as %s may fill the limit to the last byte, and not one more', async (what, send) => {
    const types = { type: 'image/png' };
    const headers: Record<string, string> = what === 'a form' ? {} : { 'content-type': 'image/png' };
    const answers = async (path: string, bytes: number) => {
      const body = send(new Blob([new Uint8Array(bytes)], types));
      const answer = await bench.ask('PUT', path, { as: ana, headers, body });
      return (await answer.json()).statusCode ?? answer.status;
    };
    const service = own(`${what}.png`);
    expect([await answers(service, 200_000), await answers(service, 200_001)]).toEqual([200, '413']);
    const bucket = `/object/fotos/${what}.png`;
    expect([await answers(bucket, 1_000), await answers(bucket, 1_001)]).toEqual([200, '413']);
  });

  it('takes a field of a form of 1 MiB to its last byte, and not one more', async () => {
    const answerTo = async (bytes: number) => {
      const form = new FormData();
      form.append('note', 'x'.repeat(bytes));
      form.append('', new File(['x'], 'campo.txt', { type: 'text/plain' }));
      const answer = await bench.ask('PUT', own('campo.txt'), { as: ana, body: form });
      return (await answer.json()).statusCode ?? answer.status;
    };
    expect([await answerTo(1_048_576), await answerTo(1_048_577)]).toEqual([200, '413']);
  });

  it('keeps to the size and the types of its bucket', async () => {
    const blobs = await bench.countBlobs();
    const tooLarge = await put('/object/fotos/a.png', new Uint8Array(1001), { 'content-type': 'image/png' });
    expect(await tooLarge.json()).toMatchObject({ statusCode: '413' });
    for (const type of ['text/html', 'image', 'application/pdfx', 'texto; x=image/png']) {
      const refused = await put('/object/fotos/a.png', 'x', { 'content-type': type });
      expect(await refused.json()).toMatchObject({ statusCode: '415', error: 'invalid_mime_type' });
    }
    const form = new FormData();
    form.append('', new Blob(['x'], { type: 'text/html' }));
    expect(
      await (await bench.ask('POST', '/object/fotos/a.png', { as: ana, body: form })).json(),
    ).toMatchObject({
      statusCode: '415',
    });
    expect(await bench.countBlobs()).toBe(blobs);
    for (const type of ['image/webp', 'application/pdf; v=1'])
      expect((await put('/object/fotos/b', 'x', { 'content-type': type, 'x-upsert': 'true' })).status).toBe(
        200,
      );
  });
});

describe('an upload beyond what the plan may store', () => {
  it('is refused, announced or not, and leaves nothing; what there was stays', async () => {
    const full = await bench.createPerson();
    await put(own('antes.txt', full), 'antes', {}, full);
    await bench.database.admin.query(
      `update storage.objects set metadata = metadata || '{"size": 104857000}' where name like $1`,
      [`${full.id}/%`],
    );
    const blobs = await bench.countBlobs();
    const form = new FormData();
    form.append('', new Blob(['x'.repeat(2000)]));
    for (const body of ['x'.repeat(2000), form, new Blob(['x'.repeat(2000)]).stream()]) {
      const refused = await bench.ask('POST', own('mais.txt', full), { as: full, body });
      expect(await refused.json()).toMatchObject({ ...REFUSED, message: expect.stringContaining('100 MB') });
    }
    expect(await bench.countBlobs()).toBe(blobs);
    expect((await put(own('cabe.txt', full), 'x'.repeat(100), {}, full)).status).toBe(200);
  });
});

describe('notes of a file', () => {
  const TOO_LONG = { n: 'x'.repeat(10_001) };
  const ENCODED = Buffer.from(JSON.stringify(TOO_LONG)).toString('base64');

  it('beyond ten thousand bytes are refused on every way in, and leave nothing', async () => {
    await put(own('curta.txt'), 'x', { 'x-metadata': Buffer.from('{"a":1}').toString('base64') });
    const signed = await bench.ask('POST', own('assinada.txt').replace('/object/', '/object/upload/sign/'), {
      as: ana,
    });
    const { url } = (await signed.json()) as { url: string };
    const form = new FormData();
    form.append('metadata', JSON.stringify({ n: 'x'.repeat(900_000) }));
    form.append('', new Blob(['x']));
    const blobs = await bench.countBlobs();
    const answers = [
      await put(own('longa.txt'), 'x', { 'x-metadata': ENCODED }),
      await bench.ask('PUT', own('curta.txt'), { as: ana, body: 'y', headers: { 'x-metadata': ENCODED } }),
      await bench.ask('PUT', url, { body: 'x', headers: { 'x-metadata': ENCODED } }),
      await bench.ask('POST', own('formulario-longo.txt'), { as: ana, body: form }),
    ];
    const message = 'As anotações de um arquivo têm no máximo 10.000 bytes';
    for (const answer of answers) expect(await answer.json()).toMatchObject({ ...REFUSED, message });
    expect(await bench.countBlobs()).toBe(blobs);
    expect(await (await bench.ask('GET', own('curta.txt'), { as: ana })).text()).toBe('x');
  });

  it('that are there from before cannot be copied', async () => {
    await put(own('antiga.txt'), 'x');
    await bench.database.admin.query(
      `update storage.objects set user_metadata = $1 where name like '%/antiga.txt'`,
      [TOO_LONG],
    );
    const copied = await bench.ask('POST', '/object/copy', {
      as: ana,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        bucketId: 'arquivos',
        sourceKey: `${ana.id}/antiga.txt`,
        destinationKey: `${ana.id}/nova.txt`,
      }),
    });
    expect(await copied.json()).toMatchObject(REFUSED);
  });
});

describe('a download', () => {
  const TEXT = 'zero um dois três';
  const path = () => own('texto.txt');
  beforeAll(() => put(path(), TEXT, { 'cache-control': 'max-age=9' }));
  const get = (headers: Record<string, string>, suffix = '') =>
    bench.ask('GET', `${path()}${suffix}`, { as: ana, headers });

  it.each([
    ['bytes=0-3', 206, 'zero', 'bytes 0-3/18'],
    ['bytes=-5', 206, 'três', 'bytes 13-17/18'],
    ['bytes=5-9999', 206, 'um dois três', 'bytes 5-17/18'],
    ['bytes=0-0,5-6', 200, TEXT, null],
    ['bytes=a-b', 200, TEXT, null],
    ['linhas=1-2', 200, TEXT, null],
  ])('answers "%s" with %i', async (range, status, text, contentRange) => {
    const part = await get({ range });
    expect([part.status, await part.text()]).toEqual([status, text]);
    expect(part.headers.get('content-range')).toBe(contentRange);
    expect(part.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
  });

  it('answers 416 behind the end, and all of it when the part belongs to an older state', async () => {
    const behind = await get({ range: 'bytes=18-' });
    expect([behind.status, behind.headers.get('content-range')]).toEqual([416, 'bytes */18']);
    expect(await behind.json()).toMatchObject({ code: 'InvalidRange' });
    const stale = await get({ range: 'bytes=0-3', 'if-range': '"outro"' });
    expect([stale.status, await stale.text()]).toEqual([200, TEXT]);
  });

  it('says that nothing has changed, by tag and by date', async () => {
    const { headers } = await get({});
    const [etag, date] = [headers.get('etag') ?? '', headers.get('last-modified') ?? ''];
    const known: Record<string, string>[] = [
      { 'if-none-match': etag },
      { 'if-none-match': `"x", W/${etag}` },
      { 'if-none-match': '*' },
      { 'if-modified-since': date },
    ];
    for (const condition of known) {
      const answer = await get({ ...condition, 'cache-control': 'max-age=0' });
      expect([answer.status, await answer.text(), answer.headers.get('etag')]).toEqual([304, '', etag]);
    }
    const other = { 'if-none-match': '"x"', 'if-modified-since': date, 'cache-control': 'max-age=0' };
    expect((await get(other)).status).toBe(200);
  });

  it('says how the bytes are packed, when the uploader said so', async () => {
    const packed = gzipSync(TEXT);
    await put(own('pacote.txt'), packed, { 'content-encoding': 'gzip' });
    const file = await bench.ask('GET', own('pacote.txt'), { as: ana });
    expect([file.headers.get('content-encoding'), await file.text()]).toEqual(['gzip', TEXT]);
  });

  it('answers HEAD with everything but the bytes', async () => {
    const head = await bench.ask('HEAD', path(), { as: ana });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '18', '']);
    expect((await bench.ask('HEAD', own('nada.txt'), { as: ana })).status).toBe(400);
  });

  it('names the file that is saved, with its accents', async () => {
    expect((await get({}, '?download')).headers.get('content-disposition')).toBe('attachment');
    const named = await get({}, `?download=${encodeURIComponent('relatório "1".txt')}`);
    expect(named.headers.get('content-disposition')).toBe(
      `attachment; filename="relat?rio \\"1\\".txt"; filename*=UTF-8''relat%C3%B3rio%20%221%22.txt`,
    );
    const hostile = await get({}, '?download=a%0d%0aSet-Cookie:%20x=1');
    expect(hostile.headers.get('set-cookie')).toBeNull();
    expect((await get({})).headers.get('content-disposition')).toBeNull();
  });

  it('shows nothing to strangers and visitors, who cannot tell what is there', async () => {
    for (const as of [stranger, bench.keyring.anonKey])
      for (const way of [path(), path().replace('/object/', '/object/authenticated/')]) {
        const hidden = await bench.ask('GET', way, { as });
        expect(hidden.status).toBe(400);
        expect(await hidden.json()).toMatchObject({
          statusCode: '404',
          error: 'not_found',
          message: 'Object not found',
        });
      }
    expect((await bench.ask('GET', path())).status).toBe(400);
    const published = await bench.ask('GET', path().replace('/object/', '/object/public/'));
    expect(await published.json()).toMatchObject({ error: 'Bucket not found' });
  });

  it('gives the files of a public bucket to everybody, and no others', async () => {
    await put('/object/publico/capa.txt', 'oi');
    const file = await bench.ask('GET', '/object/public/publico/capa.txt');
    expect([file.status, await file.text()]).toEqual([200, 'oi']);
    expect(file.headers.get('vary') ?? '').not.toContain('Authorization');
    expect((await bench.ask('GET', '/object/publico/capa.txt', { as: stranger })).status).toBe(200);
    expect(await (await bench.ask('GET', '/object/public/publico/outra.txt')).json()).toMatchObject({
      code: 'NoSuchKey',
    });
    expect((await put('/object/publico/outra.txt', 'x', {}, bench.keyring.anonKey)).status).toBe(400);
  });

  it('of a file that is being written over gives one state or the other, whole', async () => {
    const states = Array.from({ length: 8 }, (_, state) => String(state).repeat(100_000));
    await put(own('vivo.txt'), states[0] ?? '');
    const writing = (async () => {
      for (const state of states) await bench.ask('PUT', own('vivo.txt'), { as: ana, body: state });
    })();
    for (let read = 0; read < 16; read += 1) {
      const file = await bench.ask('GET', own('vivo.txt'), { as: ana });
      expect(file.status).toBe(200);
      expect(states).toContain(await file.text());
    }
    await writing;
  });

  it('of a file whose bytes the store has lost is a file that is not there', async () => {
    await put(own('perdido.txt'), 'x');
    const { rows } = await bench.database.admin.query<{ version: string }>(
      `select version from storage.objects where name like '%/perdido.txt'`,
    );
    await bench.blobs.remove([`arquivos/${rows[0]?.version}`]);
    const lost = await bench.ask('GET', own('perdido.txt'), { as: ana });
    expect(await lost.json()).toMatchObject({ code: 'NoSuchKey' });
  });
});

describe('a question in JSON', () => {
  it('may have 1 MiB to the last byte, and not one more', async () => {
    const ask = async (bytes: number) => {
      const body = '{"prefix":""}'.padEnd(bytes);
      const answer = await bench.ask('POST', '/object/list/arquivos', {
        as: ana,
        headers: { 'content-type': 'application/json' },
        body,
      });
      return (await answer.json()).statusCode ?? answer.status;
    };
    expect([await ask(1_048_576), await ask(1_048_577)]).toEqual([200, '413']);
  });
});
