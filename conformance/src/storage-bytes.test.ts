import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { createClient as createOlderClient } from 'supabase-js-2-49';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createPerson, type Person } from './support/create-person.ts';
import { type Client, createOperator, createVisitor } from './support/create-visitor.ts';
import { required } from './support/required.ts';

const deployment = inject('deployment');
const operator = createOperator(deployment);
const visitor = createVisitor(deployment);
const publicBucket = `publico-${randomUUID()}`;
let ana: Person;
let stranger: Person;

beforeAll(async () => {
  ana = await createPerson(deployment);
  stranger = await createPerson(deployment);
  const { error } = await operator.storage.createBucket(publicBucket, { public: true });
  if (error !== null) throw error;
});
afterAll(async () => {
  await operator.storage.emptyBucket(publicBucket);
});

const files = (client: Client = ana.client) => client.storage.from('arquivos');
const own = (name: string) => `${ana.id}/${name}`;
const textOf = async (name: string, client = ana.client) =>
  required((await files(client).download(own(name))).data, null).text();

describe('a file', () => {
  const form = () => {
    const data = new FormData();
    data.append('', new Blob(['olá']), 'qualquer.txt');
    return data;
  };
  test.each<[string, () => Parameters<ReturnType<typeof files>['upload']>[1]]>([
    ['text', () => 'olá'],
    ['a Blob', () => new Blob(['olá'], { type: 'text/plain' })],
    ['a File', () => new File(['olá'], 'relatório (1).txt', { type: 'text/plain' })],
    ['a Buffer', () => Buffer.from('olá')],
    ['an ArrayBuffer', () => new TextEncoder().encode('olá').buffer],
    ['a Node stream', () => Readable.from([Buffer.from('ol'), Buffer.from('á')])],
    ['a web stream', () => new Blob(['olá']).stream()],
    ['a form', form],
  ])('goes up as %s and comes back', async (kind, body) => {
    const name = `Pasta de fotos/${kind} & mais (1), final.txt`;
    const { data, error } = await files().upload(own(name), body());
    expect(error).toBeNull();
    expect(data).toEqual({ id: expect.any(String), path: own(name), fullPath: `arquivos/${own(name)}` });
    expect(await textOf(name)).toBe('olá');
  });

  test('keeps what its uploader noted, with accents, and its type and cache time', async () => {
    const options = {
      contentType: 'image/png',
      cacheControl: '7200',
      metadata: { legenda: 'Férias em Maceió' },
    };
    const bytes = randomBytes(70_000);
    for (const body of [bytes, new Blob([bytes], { type: 'image/png' })]) {
      await files().upload(own('foto.png'), body, { ...options, upsert: true });
      const info = required((await files().info(own('foto.png'))).data, null);
      expect(info).toMatchObject({
        size: 70_000,
        contentType: 'image/png',
        cacheControl: 'max-age=7200',
        metadata: { legenda: 'Férias em Maceió' },
      });
      const blob = required((await files().download(own('foto.png'))).data, null);
      expect([blob.type, Buffer.from(await blob.arrayBuffer()).equals(bytes)]).toEqual(['image/png', true]);
    }
  });

  test('is written over by update, and by upload only with upsert', async () => {
    await files().upload(own('versao.txt'), 'um');
    expect((await files().upload(own('versao.txt'), 'dois')).error).toMatchObject({
      statusCode: '409',
      message: 'The resource already exists',
    });
    expect(await textOf('versao.txt')).toBe('um');
    expect((await files().update(own('versao.txt'), 'dois')).error).toBeNull();
    expect(await textOf('versao.txt')).toBe('dois');
    expect((await files().upload(own('versao.txt'), 'três', { upsert: true })).error).toBeNull();
    expect(await textOf('versao.txt')).toBe('três');
  });

  test('exists or not, says the client of today and the one of 2025', async () => {
    await files().upload(own('existe.txt'), 'x');
    const { data } = await ana.client.auth.getSession();
    const older = createOlderClient(deployment.url, deployment.anonKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      global: { headers: { Authorization: `Bearer ${data.session?.access_token}` } },
    }).storage.from('arquivos');
    for (const bucket of [files(), older]) {
      expect((await bucket.exists(own('existe.txt'))).data).toBe(true);
      expect((await bucket.exists(own('falta.txt'))).data).toBe(false);
    }
    await older.upload(own('antigo.txt'), new Blob(['oi']), { contentType: 'text/plain' });
    expect(await (await older.download(own('antigo.txt'))).data?.text()).toBe('oi');
  });

  test('comes as a stream, too', async () => {
    const bytes = randomBytes(3_000_000);
    await files().upload(own('grande.bin'), bytes, { contentType: 'application/octet-stream' });
    const { data } = await files().download(own('grande.bin')).asStream();
    const parts: Uint8Array[] = [];
    for await (const part of required(data, null)) parts.push(part);
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
  });

  test('of somebody else is neither read, written, signed nor told of', async () => {
    await files().upload(own('segredo.txt'), 'segredo');
    for (const client of [stranger.client, visitor]) {
      const theirs = files(client);
      expect((await theirs.download(own('segredo.txt'))).data).toBeNull();
      expect((await theirs.createSignedUrl(own('segredo.txt'), 60)).error).toMatchObject({
        message: 'Object not found',
      });
      for (const attempt of [
        theirs.upload(own('novo.txt'), 'x'),
        theirs.update(own('segredo.txt'), 'x'),
        theirs.upload(own('segredo.txt'), 'x', { upsert: true }),
        theirs.createSignedUploadUrl(own('novo.txt')),
      ])
        expect((await attempt).error).toMatchObject({
          message: 'new row violates row-level security policy',
        });
    }
    expect(await textOf('segredo.txt')).toBe('segredo');
  });

  test('larger than fifty megabytes or with accents in its name is refused, and one that is no picture is not drawn', async () => {
    const large = await files().upload(own('enorme.bin'), new Blob([new Uint8Array(52_428_801)]));
    expect(large.error).toMatchObject({ statusCode: '413' });
    // The hosted platform takes no letters beyond ASCII in a name: what is stored here could not move there.
    expect((await files().upload(own('ação.txt'), 'x')).error).toMatchObject({
      message: `Invalid key: ${own('ação.txt')}`,
    });
    const picture = await files().download(own('foto.png'), { transform: { width: 10 } });
    expect(picture.data).toBeNull();
  });
});

describe('an address', () => {
  test('of a public file opens for everybody, and can save it under another name', async () => {
    const bucket = operator.storage.from(publicBucket);
    await bucket.upload('pasta/guia rapido.txt', 'guia', { contentType: 'text/plain' });
    const { publicUrl } = bucket.getPublicUrl('pasta/guia rapido.txt', { download: 'guia rápido.txt' }).data;
    const answer = await fetch(publicUrl);
    expect([answer.status, await answer.text()]).toEqual([200, 'guia']);
    expect(answer.headers.get('content-disposition')).toContain(`filename*=UTF-8''guia%20r%C3%A1pido.txt`);
    const hidden = files().getPublicUrl(own('foto.png')).data.publicUrl;
    expect((await fetch(hidden)).status).toBe(400);
  });

  test('that is signed opens one file; many are signed at once', async () => {
    await files().upload(own('um.txt'), 'um');
    await files().upload(own('dois e meio.txt'), 'dois');
    const one = required((await files().createSignedUrl(own('um.txt'), 60, { download: true })).data, null);
    const answer = await fetch(one.signedUrl);
    expect([await answer.text(), answer.headers.get('content-disposition')]).toEqual(['um', 'attachment']);
    const paths = [own('um.txt'), own('dois e meio.txt'), own('nenhum.txt')];
    const many = required((await files().createSignedUrls(paths, 60)).data, null);
    expect(
      await Promise.all(many.slice(0, 2).map(async ({ signedUrl }) => (await fetch(signedUrl ?? '')).text())),
    ).toEqual(['um', 'dois']);
    expect(many[2]).toMatchObject({ signedUrl: null, error: expect.any(String) });
    const other = one.signedUrl.replace('um.txt', 'dois%20e%20meio.txt');
    expect((await fetch(other)).status).toBe(400);
  });

  test('for an upload takes one file from somebody without an account', async () => {
    const { path, token, signedUrl } = required(
      (await files().createSignedUploadUrl(own('recebido.txt'))).data,
      null,
    );
    const given = await visitor.storage
      .from('arquivos')
      .uploadToSignedUrl(path, token, new Blob(['de fora']), { contentType: 'text/plain' });
    expect(given.error).toBeNull();
    expect(given.data).toMatchObject({ path, fullPath: `arquivos/${path}` });
    expect(await textOf('recebido.txt')).toBe('de fora');
    expect((await fetch(signedUrl, { method: 'PUT', body: 'x' })).status).toBe(400);
    const elsewhere = await files(visitor).uploadToSignedUrl(own('outro.txt'), token, 'x');
    expect(elsewhere.error).toMatchObject({ message: 'Invalid signature' });
    const opened = await fetch(`${deployment.url}/storage/v1/object/sign/arquivos/${path}?token=${token}`);
    expect(opened.status).toBe(400);
  });
});
