import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type FilesBench, type Person, startFiles } from '../test-support/start-files.ts';
import { sweepUploads } from './sweep-uploads.ts';

let bench: FilesBench;
let ana: Person;
let stranger: Person;
beforeAll(async () => {
  bench = await startFiles();
  ana = await bench.createPerson();
  stranger = await bench.createPerson();
});
afterAll(() => bench.stop());
afterEach(() => vi.restoreAllMocks());

const ENDPOINT = '/upload/resumable';
const TUS = { 'tus-resumable': '1.0.0' };

type Wish = {
  readonly as?: Person | string;
  readonly bucket?: string;
  readonly length?: number;
  readonly notes?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly endpoint?: string;
  readonly body?: BodyInit;
};

const encode = (notes: Readonly<Record<string, string>>) =>
  Object.entries(notes)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');

function create(name: string, wish: Wish = {}): Promise<Response> {
  const { as = ana, bucket = 'arquivos', length = 10, notes = {}, headers = {}, body } = wish;
  const metadata = { bucketName: bucket, objectName: name, contentType: 'text/plain', ...notes };
  return bench.ask('POST', wish.endpoint ?? ENDPOINT, {
    ...(as === '' ? {} : { as }),
    headers: {
      ...TUS,
      'upload-length': String(length),
      'upload-metadata': encode(metadata),
      ...(body === undefined ? {} : { 'content-type': 'application/offset+octet-stream' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
}

/** The address of an upload that was begun, below `/storage/v1`. */
async function begin(name: string, wish?: Wish): Promise<string> {
  const answer = await create(name, wish);
  expect([answer.status, await answer.text()]).toEqual([201, '']);
  return (answer.headers.get('location') ?? '').replace('/storage/v1', '');
}

const own = (name: string) => `${ana.id}/${name}`;

function patch(path: string, offset: number, body: BodyInit, as: Person = ana, headers = {}) {
  return bench.ask('PATCH', path, {
    as,
    headers: {
      ...TUS,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
      ...headers,
    },
    body,
  });
}

async function look(path: string, as: Person | string = ana) {
  const { status, headers } = await bench.ask('HEAD', path, { as, headers: TUS });
  return [status, headers.get('upload-offset')];
}

async function read(name: string, bucket = 'arquivos', as: Person = ana) {
  const answer = await bench.ask('GET', `/object/authenticated/${bucket}/${name}`, { as });
  return answer.ok ? answer.text() : answer.status;
}

const outcome = async (answer: Response) => [answer.status, await answer.text()];

describe('an upload in several requests', () => {
  it('becomes a file when its last byte has come, and not before', async () => {
    const notes = { cacheControl: '60', metadata: JSON.stringify({ de: 'câmera' }) };
    const path = await begin(own('partes.txt'), { notes });
    expect(await look(path)).toEqual([200, '0']);
    const first = await patch(path, 0, '01234');
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '5']);
    expect(Date.parse(first.headers.get('upload-expires') ?? '')).toBeGreaterThan(Date.now());
    expect(await look(path)).toEqual([200, '5']);
    expect(await read(own('partes.txt'))).toBe(400);
    expect((await patch(path, 5, '56789')).status).toBe(204);
    expect(await read(own('partes.txt'))).toBe('0123456789');
    const info = await bench.ask('GET', `/object/info/arquivos/${own('partes.txt')}`, { as: ana });
    expect(await info.json()).toMatchObject({
      size: 10,
      content_type: 'text/plain',
      cache_control: 'max-age=60',
      metadata: { de: 'câmera' },
      // The sum of the whole, not of a part.
      etag: '"781e5e245d69b566979b86e28d23f2c7"',
    });
    expect(await look(path)).toEqual([200, '10']);
  });

  it('brings its first bytes along with its creation, or has none at all', async () => {
    const started = await create(own('junto.txt'), { body: '0123456789' });
    expect([started.status, started.headers.get('upload-offset')]).toEqual([201, '10']);
    expect(await read(own('junto.txt'))).toBe('0123456789');
    await begin(own('vazio.txt'), { length: 0 });
    expect(await read(own('vazio.txt'))).toBe('');
  });

  it('leaves none of its parts behind', async () => {
    const before = await bench.countBlobs();
    const path = await begin(own('limpo.txt'));
    for (const [offset, body] of ['01', '23', '45', '67', '89'].entries())
      expect((await patch(path, offset * 2, body)).status).toBe(204);
    expect(await bench.countBlobs()).toBe(before + 1);
  });

  it('goes on and is given up by POST, where a client can send nothing else', async () => {
    const post = (path: string, method: string, headers = {}, body?: BodyInit) =>
      bench.ask('POST', path, {
        as: ana,
        headers: { ...TUS, 'x-http-method-override': method, ...headers },
        ...(body === undefined ? {} : { body }),
      });
    const at = (offset: number) => ({
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
    });
    const path = await begin(own('so-post.txt'));
    const first = await post(path, 'PATCH', at(0), '01234');
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '5']);
    const looked = await post(path, 'HEAD');
    expect([looked.status, looked.headers.get('upload-offset')]).toEqual([200, '5']);
    expect((await post(path, 'patch', at(5), '56789')).status).toBe(204);
    expect(await read(own('so-post.txt'))).toBe('0123456789');
    const other = await begin(own('desiste.txt'));
    expect((await post(other, 'GET')).status).toBe(404);
    expect((await bench.ask('POST', other, { as: ana, headers: TUS })).status).toBe(404);
    expect((await post(other, 'DELETE')).status).toBe(204);
    expect(await look(other)).toEqual([404, null]);
  });

  it('says what it speaks to anybody', async () => {
    for (const path of [ENDPOINT, `${ENDPOINT}/sign`]) {
      const answer = await bench.ask('OPTIONS', path);
      expect(answer.status).toBe(204);
      expect(answer.headers.get('tus-version')).toBe('1.0.0');
      expect(answer.headers.get('tus-max-size')).toBe('200000');
      expect(answer.headers.get('tus-extension')).toBe(
        'creation,creation-with-upload,termination,expiration',
      );
    }
  });

  it('may be read from another origin, as every answer', async () => {
    const answer = await create(own('origem.txt'), { headers: { origin: 'https://app.example.com' } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    expect(answer.headers.get('access-control-expose-headers')).toMatch(/Location.*Upload-Offset/);
  });

  it('is refused bytes for another place than where it is, and more than it announced', async () => {
    const path = await begin(own('lugar.txt'));
    expect((await patch(path, 0, '01234')).status).toBe(204);
    expect((await patch(path, 0, '01234')).status).toBe(409);
    expect((await patch(path, 7, '789')).status).toBe(409);
    expect((await patch(path, 5, '5678901')).status).toBe(413);
    // Without a length.
    const endless = new Blob(['56789', 'demais']).stream();
    expect((await patch(path, 5, endless)).status).toBe(413);
    expect(await read(own('lugar.txt'))).toBe(400);
    expect(await look(path)).toEqual([200, '5']);
    expect((await patch(path, 5, '56789')).status).toBe(204);
    expect(await read(own('lugar.txt'))).toBe('0123456789');
  });

  it('can be given up, and is gone then with its bytes', async () => {
    const before = await bench.countBlobs();
    const path = await begin(own('desisto.txt'));
    await patch(path, 0, '01234');
    expect((await bench.ask('DELETE', path, { as: ana, headers: TUS })).status).toBe(204);
    expect(await look(path)).toEqual([404, null]);
    expect((await patch(path, 5, '56789')).status).toBe(404);
    expect(await bench.countBlobs()).toBe(before);
    const done = await begin(own('pronto.txt'), { body: '0123456789' });
    expect((await bench.ask('DELETE', done, { as: ana, headers: TUS })).status).toBe(400);
    expect(await read(own('pronto.txt'))).toBe('0123456789');
  });

  it('writes over a file only with x-upsert', async () => {
    await begin(own('existe.txt'), { body: 'primeiro!!' });
    expect((await create(own('existe.txt'))).status).toBe(409);
    const path = await begin(own('existe.txt'), { headers: { 'x-upsert': 'true' } });
    await patch(path, 0, 'segundo!!!');
    expect(await read(own('existe.txt'))).toBe('segundo!!!');
  });

  it('that was overtaken by another upload of the name does not write over it', async () => {
    const path = await begin(own('corrida.txt'));
    expect((await patch(path, 0, '01234')).status).toBe(204);
    await begin(own('corrida.txt'), { body: 'mais cedo!' });
    expect((await patch(path, 5, '56789')).status).toBe(409);
    expect(await read(own('corrida.txt'))).toBe('mais cedo!');
  });
});

describe('what an upload may be', () => {
  it.each<[string, number, string, Wish]>([
    ['larger than any file', 413, 'a.txt', { length: 200_001 }],
    [
      'larger than its bucket allows',
      413,
      'a.png',
      { bucket: 'fotos', length: 1001, notes: { contentType: 'image/png' } },
    ],
    ['of a type that the bucket does not take', 415, 'a.txt', { bucket: 'fotos' }],
    ['of a type that is none', 415, 'a.txt', { notes: { contentType: 'no type' } }],
    ['in no bucket', 404, 'a.txt', { bucket: 'nenhum' }],
    ['without a name', 400, '', {}],
    ['named like a folder above', 400, '../x', {}],
  ])('is not: %s', async (_what, status, name, wish) => {
    const before = await bench.countBlobs();
    const path = name === '' || name.startsWith('.') ? name : own(name);
    const answer = await create(path, { ...wish, body: 'x'.repeat(10) });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('location')).toBeNull();
    expect(await bench.countBlobs()).toBe(before);
    const { rows } = await bench.database.admin.query(
      'select count(*)::int as count from storage.resumable_uploads where name = $1',
      [path],
    );
    expect(rows).toEqual([{ count: 0 }]);
  });

  it('is read by the protocol’s own rules', async () => {
    expect((await create(own('a.txt'), { headers: { 'tus-resumable': '0.2.2' } })).status).toBe(400);
    expect((await create(own('a.txt'), { headers: { 'upload-length': '-1' } })).status).toBe(400);
    const deferred = await bench.ask('POST', ENDPOINT, {
      as: ana,
      headers: { ...TUS, 'upload-defer-length': '1', 'upload-metadata': encode({ bucketName: 'arquivos' }) },
    });
    expect(deferred.status).toBe(501);
    expect((await bench.ask('HEAD', `${ENDPOINT}/../x`, { as: ana, headers: TUS })).status).toBe(404);
    expect((await bench.ask('HEAD', `${ENDPOINT}/nada`, { as: ana, headers: TUS })).status).toBe(404);
  });

  it('is counted with what the person’s other uploads hold', async () => {
    const bia = await bench.createPerson();
    const { admin } = bench.database;
    const megabytes = (held: number) =>
      admin.query(
        `insert into storage.resumable_uploads
           (id, bucket_id, name, role, owner_id, upsert, metadata, upload_length, upload_offset)
         values (gen_random_uuid(), 'arquivos', 'x', 'authenticated', $1, false, '{}', $2, $2)`,
        [bia.id, held * 1_048_576],
      );
    await megabytes(60);
    const path = await begin(`${bia.id}/cabe.txt`, { as: bia });
    await megabytes(40);
    for (const answer of [
      await patch(path, 0, '0123456789', bia),
      await create(`${bia.id}/n.txt`, { as: bia }),
    ])
      expect(await outcome(answer)).toEqual([403, 'Limite de armazenamento de 100 MB atingido']);
  });

  it('is counted once, and what has become a file not again', async () => {
    const bia = await bench.createPerson();
    await bench.database.admin.query(
      `insert into storage.objects (bucket_id, name, owner_id, metadata)
       values ('arquivos', $1::text || '/cheio', $1, jsonb_build_object('size', 100 * 1048576 - 150000))`,
      [bia.id],
    );
    await bench.database.admin.query(
      `insert into storage.resumable_uploads
         (id, bucket_id, name, role, owner_id, upsert, metadata, upload_length, upload_offset, completed_at)
       select gen_random_uuid(), 'arquivos', 'x', 'authenticated', $1, false, '{}', 1000, 1000, now()
       from generate_series(1, 100)`,
      [bia.id],
    );
    const name = `${bia.id}/cabe.bin`;
    const path = await begin(name, { as: bia, length: 100_000 });
    expect((await patch(path, 0, 'x'.repeat(60_000), bia)).status).toBe(204);
    expect((await patch(path, 60_000, 'x'.repeat(40_000), bia)).status).toBe(204);
    expect(await read(name, 'arquivos', bia)).toHaveLength(100_000);
  });

  it('is one of a hundred at most that somebody has not finished', async () => {
    const bia = await bench.createPerson();
    await bench.database.admin.query(
      `insert into storage.resumable_uploads
         (id, bucket_id, name, role, owner_id, upsert, metadata, upload_length)
       select gen_random_uuid(), 'arquivos', 'x', 'authenticated', $1, false, '{}', 1 from generate_series(1, 100)`,
      [bia.id],
    );
    expect((await create(`${bia.id}/n.txt`, { as: bia })).status).toBe(429);
    await begin(own('de-outra.txt'));
  });
});

describe('a stranger', () => {
  it('begins no upload where they may not write', async () => {
    for (const as of [stranger, bench.keyring.anonKey])
      expect(await outcome(await create(own('alheio.txt'), { as }))).toEqual([
        403,
        'new row violates row-level security policy',
      ]);
    expect((await create(own('alheio.txt'), { as: '' })).status).toBe(400);
    expect((await create(own('alheio.txt'), { as: 'no token' })).status).toBe(403);
  });

  it('neither sees, continues nor ends somebody else’s, even where they may write', async () => {
    for (const bucket of ['arquivos', 'publico']) {
      const path = await begin(own('meu.txt'), { bucket });
      await patch(path, 0, '01234');
      expect(await look(path, stranger)).toEqual([404, null]);
      expect((await patch(path, 5, '56789', stranger)).status).toBe(404);
      expect((await bench.ask('DELETE', path, { as: stranger, headers: TUS })).status).toBe(404);
      expect((await bench.ask('HEAD', path, { headers: TUS })).status).toBe(400);
      expect(await look(path)).toEqual([200, '5']);
    }
  });

  it('whose right was taken away in between writes nothing more', async () => {
    const path = await begin(own('tirado.txt'), { bucket: 'publico' });
    await patch(path, 0, '01234');
    const { admin } = bench.database;
    await admin.query('alter policy of_everybody on storage.objects with check (bucket_id = $$fotos$$)');
    try {
      expect((await patch(path, 5, '56789')).status).toBe(403);
    } finally {
      await admin.query(
        `alter policy of_everybody on storage.objects with check (bucket_id in ('publico', 'fotos'))`,
      );
    }
    expect(await look(path)).toEqual([200, '5']);
  });
});

describe('a signed upload address', () => {
  const sign = async (name: string, as: Person = ana) => {
    const answer = await bench.ask('POST', `/object/upload/sign/arquivos/${name}`, { as });
    return ((await answer.json()) as { token: string }).token;
  };

  it('lets somebody without an account send that one file', async () => {
    const token = await sign(own('assinado.txt'));
    const wish = { as: '', endpoint: `${ENDPOINT}/sign`, headers: { 'x-signature': token } };
    const path = await begin(own('assinado.txt'), wish);
    expect(path).toMatch(/^\/upload\/resumable\/sign\//);
    const sent = await bench.ask('PATCH', path, {
      headers: {
        ...TUS,
        'content-type': 'application/offset+octet-stream',
        'upload-offset': '0',
        'x-signature': token,
      },
      body: '0123456789',
    });
    expect(sent.status).toBe(204);
    expect(await read(own('assinado.txt'))).toBe('0123456789');
    expect((await create(own('outro.txt'), wish)).status).toBe(400);
  });

  it('is of no use without its token, with another one’s, or with a token for reading', async () => {
    const endpoint = `${ENDPOINT}/sign`;
    const path = await begin(own('selo.txt'), {
      as: '',
      endpoint,
      headers: { 'x-signature': await sign(own('selo.txt')) },
    });
    const theirs = await sign(`${stranger.id}/selo.txt`, stranger);
    await begin(own('lido.txt'), { body: '0123456789' });
    const reading = await bench.ask('POST', `/object/sign/arquivos/${own('lido.txt')}`, {
      as: ana,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ expiresIn: 60 }),
    });
    const { signedURL } = (await reading.json()) as { signedURL: string };
    for (const token of ['', 'nonsense', theirs, signedURL.split('token=')[1] ?? '']) {
      const headers = { ...TUS, 'x-signature': token };
      expect((await bench.ask('HEAD', path, { headers })).status).toBe(400);
      expect((await create(own('lido.txt'), { as: '', endpoint, headers })).status).toBe(400);
    }
    expect((await bench.ask('HEAD', path, { as: ana, headers: TUS })).status).toBe(400);
  });
});

describe('an upload that breaks off', () => {
  it('keeps what has come, and goes on from there', async () => {
    const path = await begin(own('corte.txt'));
    const before = await bench.countBlobs();
    const socket = connect(bench.port, '127.0.0.1');
    socket.write(
      [
        `PATCH /storage/v1${path} HTTP/1.1`,
        'host: localhost',
        `authorization: Bearer ${ana.token}`,
        'tus-resumable: 1.0.0',
        'content-type: application/offset+octet-stream',
        'upload-offset: 0',
        'content-length: 10',
        '',
        '0123',
      ].join('\r\n'),
    );
    await expect.poll(() => bench.countBlobs()).toBeGreaterThan(before);
    socket.destroy();
    await expect.poll(() => look(path)).toEqual([200, '4']);
    expect((await patch(path, 4, '456789')).status).toBe(204);
    expect(await read(own('corte.txt'))).toBe('0123456789');
  });

  it('is finished by whoever asks for it, when the server was killed before it was a file', async () => {
    const path = await begin(own('morto.txt'));
    vi.spyOn(bench.blobs, 'read').mockRejectedValueOnce(new Error('killed'));
    expect(await outcome(await patch(path, 0, '0123456789'))).toEqual([500, 'Internal server error']);
    expect(await read(own('morto.txt'))).toBe(400);
    expect(await look(path)).toEqual([200, '10']);
    expect(await read(own('morto.txt'))).toBe('0123456789');
  });

  it('is a file, once the record is kept, whatever is heard of it', async () => {
    const path = await begin(own('mudo.txt'), { body: '0123456789' });
    const id = path.split('/').at(-1);
    // As if the server had been killed between the record and the note that it is kept.
    await bench.database.admin.query(
      `update storage.resumable_uploads set completed_at = null, upload_offset = 0 where id = $1`,
      [id],
    );
    expect(await look(path)).toEqual([200, '10']);
    expect(await read(own('mudo.txt'))).toBe('0123456789');
  });

  it('whose parts are gone says so, and is forgotten', async () => {
    const path = await begin(own('perdido.txt'));
    await patch(path, 0, '01234');
    await bench.database.admin.query(
      'update storage.resumable_uploads set parts = array[gen_random_uuid()] where name = $1',
      [own('perdido.txt')],
    );
    expect((await patch(path, 5, '56789')).status).toBe(410);
    expect(await look(path)).toEqual([404, null]);
  });
});

describe('two requests for one upload', () => {
  it('never both write: the later one waits until the earlier has ended', async () => {
    const path = await begin(own('dois.txt'));
    const answers = await Promise.all([patch(path, 0, '01234'), patch(path, 0, 'abcde')]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409]);
    expect(await look(path)).toEqual([200, '5']);
  });

  it('in two copies of the server: the one that comes too late is told so', async () => {
    const path = await begin(own('copias.txt'));
    const write = bench.blobs.write.bind(bench.blobs);
    // While the bytes are on their way here, another copy goes on with the upload.
    vi.spyOn(bench.blobs, 'write').mockImplementationOnce(async (...wish) => {
      await bench.database.admin.query(
        `update storage.resumable_uploads set upload_offset = 3, parts = array[gen_random_uuid()] where name = $1`,
        [own('copias.txt')],
      );
      return write(...wish);
    });
    const before = await bench.countBlobs();
    expect((await patch(path, 0, '01234')).status).toBe(409);
    expect(await look(path)).toEqual([200, '3']);
    expect(await bench.countBlobs()).toBe(before);
  });

  it('are not both put together by two copies, unless one of them is dead', async () => {
    const path = await begin(own('vez.txt'));
    const { admin } = bench.database;
    const finishing = (ago: number) =>
      admin.query(
        `update storage.resumable_uploads set finishing_since = now() - make_interval(secs => $2) where name = $1`,
        [own('vez.txt'), ago],
      );
    vi.spyOn(bench.blobs, 'read').mockRejectedValueOnce(new Error('killed'));
    await patch(path, 0, '0123456789');
    await finishing(1);
    expect(await look(path)).toEqual([423, null]);
    await finishing(11);
    expect(await look(path)).toEqual([200, '10']);
    expect(await read(own('vez.txt'))).toBe('0123456789');
  });
});

describe('the sweep', () => {
  const sweep = () =>
    sweepUploads({
      db: bench.db,
      blobs: bench.blobs,
      now: () => new Date(),
      logger: { info: () => undefined, warn: () => undefined },
    });

  it('throws away what nobody went on with for a day, and no file', async () => {
    const [old, young] = [await begin(own('velho.txt')), await begin(own('novo.txt'))];
    const done = await begin(own('feito.txt'), { body: '0123456789' });
    for (const path of [old, young]) await patch(path, 0, '01234');
    const before = await bench.countBlobs();
    await bench.database.admin.query(
      `update storage.resumable_uploads set created_at = now() - interval '24 hours 1 second' where name = any ($1)`,
      [[own('velho.txt'), own('feito.txt')]],
    );
    expect((await patch(old, 5, '56789')).status).toBe(410);
    await sweep();
    expect(await bench.countBlobs()).toBe(before - 1);
    expect(await look(old)).toEqual([404, null]);
    expect(await look(done)).toEqual([404, null]);
    expect(await look(young)).toEqual([200, '5']);
    expect(await read(own('feito.txt'))).toBe('0123456789');
  });
});
