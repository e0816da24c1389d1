import { randomUUID } from 'node:crypto';
import { openServerDatabase, type ServerDatabase } from '@linkoteca/server-process/open-server-database';
import { createClient as createOlderClient } from 'supabase-js-2-49';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createPerson, type Person } from './support/create-person.ts';
import { type Client, createOperator, createVisitor } from './support/create-visitor.ts';
import { required } from './support/required.ts';

const deployment = inject('deployment');
const operator = createOperator(deployment);
const visitor = createVisitor(deployment);
let database: ServerDatabase;
let ana: Person;
let bia: Person;

beforeAll(async () => {
  database = await openServerDatabase(deployment.dataFolder);
  ana = await createPerson(deployment);
  bia = await createPerson(deployment);
});
afterAll(() => database.end());

/** A bucket of the operator's; `names` are files of one byte each. */
async function createBucket(
  names: readonly string[] = [],
  options: Parameters<Client['storage']['createBucket']>[1] = { public: false },
): Promise<string> {
  const id = `balde-${randomUUID()}`;
  const { error } = await operator.storage.createBucket(id, options);
  if (error !== null) throw error;
  await Promise.all(names.map((name) => put(operator, id, name)));
  return id;
}
async function put(client: Client, bucket: string, name: string, body = 'x'): Promise<void> {
  const { error } = await client.storage.from(bucket).upload(name, body, { contentType: 'text/plain' });
  if (error !== null) throw error;
}
const read = async (client: Client, bucket: string, name: string) =>
  (await client.storage.from(bucket).download(name)).data?.text();
const send = async (
  method: string,
  path: string,
  body?: unknown,
  token: string | null = deployment.serviceRoleKey,
) => {
  const response = await fetch(`${deployment.url}/storage/v1${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  // What a person may see no cache may keep.
  expect(response.headers.get('cache-control') === 'no-store' || path.includes('/public/')).toBe(true);
  return { status: response.status, body: await response.json() };
};
const NOT_FOUND = { statusCode: '404', message: 'Object not found' };
const NO_BUCKET = { statusCode: '404', message: 'Bucket not found' };
const DENIED = { statusCode: '403', message: 'new row violates row-level security policy' };
const DUPLICATE = { statusCode: '409', message: 'The resource already exists' };

describe('buckets', () => {
  test('are made, read, changed, emptied and deleted by the operator', async () => {
    const { storage } = operator;
    const id = `balde-${randomUUID()}`;
    expect(
      await storage.createBucket(id, { public: true, fileSizeLimit: '20mb', allowedMimeTypes: ['text/*'] }),
    ).toEqual({
      data: { name: id },
      error: null,
    });
    expect((await storage.createBucket(id)).error).toMatchObject(DUPLICATE);
    const { data } = await storage.getBucket(id);
    expect(data).toEqual({
      id,
      name: id,
      owner: '',
      public: true,
      file_size_limit: 20_000_000,
      allowed_mime_types: ['text/*'],
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: expect.any(String),
    });
    expect(await storage.updateBucket(id, { public: false, fileSizeLimit: null })).toEqual({
      data: { message: 'Successfully updated' },
      error: null,
    });
    expect((await storage.getBucket(id)).data).toMatchObject({
      public: false,
      file_size_limit: null,
      allowed_mime_types: ['text/*'],
    });
    await put(operator, id, 'a.txt');
    expect((await storage.deleteBucket(id)).error).toMatchObject({
      statusCode: '409',
      message: 'The bucket you tried to delete is not empty',
    });
    expect((await storage.emptyBucket(id)).data).toEqual({
      message: 'Empty bucket has been queued. Completion may take up to an hour.',
    });
    expect((await storage.from(id).list()).data).toEqual([]);
    expect((await storage.deleteBucket(id)).data).toEqual({ message: 'Successfully deleted' });
    for (const { error } of [
      await storage.getBucket(id),
      await storage.updateBucket(id, { public: true }),
      await storage.emptyBucket(id),
      await storage.deleteBucket(id),
    ])
      expect(error).toMatchObject(NO_BUCKET);
  });

  test('keep the limits of which a change says nothing', async () => {
    const { storage } = operator;
    const id = await createBucket([], {
      public: false,
      fileSizeLimit: '20mb',
      allowedMimeTypes: ['text/*'],
    });
    expect((await storage.updateBucket(id, { public: true })).error).toBeNull();
    expect((await storage.getBucket(id)).data).toMatchObject({
      public: true,
      file_size_limit: 20_000_000,
      allowed_mime_types: ['text/*'],
    });
    await storage.deleteBucket(id);
  });

  test('are listed with their type, by page, order and part of a name', async () => {
    const word = randomUUID();
    for (const letter of ['b', 'A', 'c']) await operator.storage.createBucket(`${word}-${letter}`);
    const list = async (options: Parameters<Client['storage']['listBuckets']>[0]) =>
      (await operator.storage.listBuckets(options)).data?.map(({ name }) => name.slice(-1));
    expect(await list({ search: word.toUpperCase(), sortColumn: 'created_at', sortOrder: 'desc' })).toEqual([
      'c',
      'A',
      'b',
    ]);
    expect(await list({ search: word, sortColumn: 'created_at', limit: 1, offset: 1 })).toEqual(['A']);
    expect(await list({ search: `${word}-%` })).toEqual([]);
    expect((await operator.storage.listBuckets()).data).toContainEqual(
      expect.objectContaining({ id: 'arquivos', type: 'STANDARD', public: false }),
    );
  });

  test.each([
    ['a slash', 'a/b'],
    ['the folder above', '..'],
    ['nothing', ''],
    ['a blank at its end', 'a '],
    ['a letter that no address shows', 'ação'],
    ['too much', 'a'.repeat(101)],
  ])('are not named with %s', async (_what, name) => {
    expect(await send('POST', '/bucket', { name })).toMatchObject({
      status: 400,
      body: { statusCode: '400', error: 'Invalid Input', code: 'InvalidBucketName' },
    });
  });

  test('allow no more than the service, and are of the kind that is offered', async () => {
    const wish = (more: object) => send('POST', '/bucket', { name: `b-${randomUUID()}`, ...more });
    expect((await wish({ file_size_limit: '51gb' })).body).toMatchObject({ statusCode: '413' });
    expect((await wish({ file_size_limit: 'viel' })).body).toMatchObject({ code: 'InvalidRequest' });
    expect((await wish({ file_size_limit: -1 })).body).toMatchObject({ statusCode: '400' });
    expect((await wish({ allowed_mime_types: 'x' })).body).toMatchObject({ code: 'InvalidParameter' });
    expect((await wish({ type: 'ANALYTICS' })).body).toMatchObject({ code: 'FeatureNotEnabled' });
    expect((await wish({ versioning_status: 'ENABLED' })).body).toMatchObject({ code: 'FeatureNotEnabled' });
  });

  test('are nobody else’s to see or change', async () => {
    const id = await createBucket(['a.txt']);
    for (const client of [ana.client, visitor]) {
      expect((await client.storage.listBuckets()).data).toEqual([]);
      expect((await client.storage.createBucket(`b-${randomUUID()}`)).error).toMatchObject(DENIED);
      for (const { error } of [
        await client.storage.getBucket(id),
        await client.storage.updateBucket(id, { public: true }),
        await client.storage.emptyBucket(id),
        await client.storage.deleteBucket('arquivos'),
      ])
        expect(error).toMatchObject(NO_BUCKET);
    }
    expect((await operator.storage.getBucket(id)).data).toMatchObject({ public: false });
    expect(await read(operator, id, 'a.txt')).toBe('x');
  });
});

describe('a list', () => {
  const NAMES = ['c%/x.txt', 'b.txt', 'a/1.txt', 'a/2.txt', 'a/deep/3.txt', 'c_/x.txt', 'Zeta.txt', 'd.txt'];
  let bucket: string;
  beforeAll(async () => {
    const [odd = '', ...others] = NAMES;
    bucket = await createBucket(others);
    // A name that the service would not take, as SQL can write it.
    await database.query(
      'insert into storage.objects (bucket_id, name, version) values ($1, $2, gen_random_uuid())',
      [bucket, odd],
    );
  });
  const names = async (...wish: Parameters<ReturnType<Client['storage']['from']>['list']>) => {
    const { data, error } = await operator.storage.from(bucket).list(...wish);
    if (error !== null) throw error;
    return data.map(({ name }) => name);
  };

  test('shows one level: files with all that is known of them, folders with nothing', async () => {
    const { data } = await operator.storage.from(bucket).list();
    expect(data?.map(({ name }) => name)).toEqual(['Zeta.txt', 'a', 'b.txt', 'c%', 'c_', 'd.txt']);
    expect(data?.[1]).toEqual({
      name: 'a',
      id: null,
      updated_at: null,
      created_at: null,
      last_accessed_at: null,
      metadata: null,
    });
    expect(data?.[2]).toEqual({
      name: 'b.txt',
      id: expect.any(String),
      updated_at: expect.any(String),
      created_at: expect.any(String),
      last_accessed_at: expect.any(String),
      metadata: expect.objectContaining({
        size: 1,
        mimetype: 'text/plain',
        cacheControl: 'max-age=3600',
        contentLength: 1,
        httpStatusCode: 200,
        eTag: '"9dd4e461268c8034f5c8564e155c67a6"',
      }),
    });
  });

  test('goes into folders, with names relative to them', async () => {
    for (const folder of ['a', 'a/', '/a/']) expect(await names(folder)).toEqual(['1.txt', '2.txt', 'deep']);
    expect(await names('a/deep')).toEqual(['3.txt']);
    expect(await names('nada')).toEqual([]);
    expect(await names('b.txt')).toEqual([]);
  });

  test('takes the signs of patterns for what they are', async () => {
    expect(await names('c%')).toEqual(['x.txt']);
    expect(await names('%')).toEqual([]);
    for (const search of ['%', '_', '\\', "' or true --"]) expect(await names('', { search })).toEqual([]);
    expect(await names('', { search: 'c_' })).toEqual(['c_']);
  });

  test('is searched by the beginning of a name, in any case, also inside a folder', async () => {
    expect(await names('', { search: 'ZE' })).toEqual(['Zeta.txt']);
    expect(await names('a', { search: 'de' })).toEqual(['deep']);
    expect(await names('', { search: 'a/1' })).toEqual(['a/1.txt']);
  });

  test('is sorted and cut as asked', async () => {
    const down = { column: 'name', order: 'desc' };
    expect(await names('', { sortBy: down })).toEqual(['d.txt', 'c_', 'c%', 'b.txt', 'a', 'Zeta.txt']);
    expect(await names('', { limit: 2, offset: 1 })).toEqual(['a', 'b.txt']);
    expect(await names('', { limit: 2, offset: 1, sortBy: down })).toEqual(['c_', 'c%']);
    expect(await names('', { offset: 99 })).toEqual([]);
    const byTime = await names('', { sortBy: { column: 'created_at', order: 'asc' } });
    expect(byTime.slice(0, 3)).toEqual(['a', 'c%', 'c_']);
    expect(byTime).toHaveLength(6);
    expect(
      await send('POST', `/object/list/${bucket}`, { prefix: '', sortBy: { column: 'metadata' } }),
    ).toMatchObject({
      status: 400,
      body: { statusCode: '400', error: 'Error' },
    });
    for (const body of [
      { prefix: '', limit: -1 },
      { prefix: '', offset: -1 },
      { prefix: '\u0000' },
      { limit: 2 },
      '{',
    ])
      expect((await send('POST', `/object/list/${bucket}`, body)).status).toBe(400);
  });

  test('comes in pages behind a cursor, flat or by folders, in every order', async () => {
    type Wish = NonNullable<Parameters<ReturnType<Client['storage']['from']>['listV2']>[0]>;
    const walk = async (wish: Wish) => {
      const [folders, objects]: [string[], string[]] = [[], []];
      for (let cursor: string | undefined; ; ) {
        const { data, error } = await operator.storage
          .from(bucket)
          .listV2({ ...wish, limit: 3, ...(cursor === undefined ? {} : { cursor }) });
        if (error !== null) throw error;
        expect(data.folders.length + data.objects.length).toBeLessThanOrEqual(3);
        folders.push(...data.folders.map(({ name }) => name));
        objects.push(...data.objects.map(({ name }) => name));
        expect(data.hasNext).toBe(data.nextCursor !== undefined);
        if (!data.hasNext) return { folders, objects };
        cursor = data.nextCursor;
      }
    };
    const all = [...NAMES].sort();
    expect(await walk({})).toEqual({ folders: [], objects: all });
    expect((await walk({ sortBy: { column: 'name', order: 'desc' } })).objects).toEqual(all.toReversed());
    for (const order of ['asc', 'desc'] as const)
      expect((await walk({ sortBy: { column: 'updated_at', order } })).objects.sort()).toEqual(all);
    expect(await walk({ with_delimiter: true })).toEqual({
      folders: ['a/', 'c%/', 'c_/'],
      objects: ['Zeta.txt', 'b.txt', 'd.txt'],
    });
    expect(
      await walk({ with_delimiter: true, prefix: 'a/', sortBy: { column: 'created_at', order: 'desc' } }),
    ).toEqual({
      folders: ['a/deep/'],
      objects: expect.arrayContaining(['a/1.txt', 'a/2.txt']),
    });
    expect((await walk({ with_delimiter: true, sortBy: { column: 'name', order: 'desc' } })).folders).toEqual(
      ['c_/', 'c%/', 'a/'],
    );
    for (const cursor of ['x', Buffer.from(`["name asc","a","'"]`).toString('base64url')])
      expect((await operator.storage.from(bucket).listV2({ cursor })).error).toMatchObject({
        statusCode: '400',
      });
  });

  test('of ten thousand files is read in parts, and a folder is one entry whatever is in it', async () => {
    const many = await createBucket();
    await database.query(
      `insert into storage.objects (bucket_id, name, version)
       select $1, 'muitos/' || lpad(n::text, 5, '0'), gen_random_uuid() from generate_series(1, 10000) n
       union all select $1, repeat('f/', 100) || 'fundo.txt', gen_random_uuid()`,
      [many],
    );
    const list = async (folder: string, wish?: object) => {
      const listed = await operator.storage.from(many).list(folder, wish);
      return required(listed.data, listed.error).map(({ name }) => name);
    };
    expect(await list('')).toEqual(['f', 'muitos']);
    expect(await list('muitos')).toHaveLength(100);
    expect(await list('muitos', { limit: 5, offset: 9_997 })).toEqual(['09998', '09999', '10000']);
    expect(await list('f/'.repeat(100))).toEqual(['fundo.txt']);
    await database.query(
      `begin; set local storage.allow_delete_query = 'true';
       delete from storage.objects where bucket_id = '${many}' and name > 'muitos/01200'; commit`,
    );
    expect((await operator.storage.emptyBucket(many)).error).toBeNull();
    expect(await list('')).toEqual([]);
  });
});

describe('objects', () => {
  test('are described to whoever may see them', async () => {
    const bucket = await createBucket();
    await operator.storage.from(bucket).upload('a/b.txt', 'olá', {
      contentType: 'text/plain',
      cacheControl: '60',
      metadata: { cor: 'verde' },
    });
    const { data } = await operator.storage.from(bucket).info('a/b.txt');
    expect(data).toEqual({
      id: expect.any(String),
      version: expect.any(String),
      name: 'a/b.txt',
      bucketId: bucket,
      size: 4,
      contentType: 'text/plain',
      cacheControl: 'max-age=60',
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
      metadata: { cor: 'verde' },
      lastModified: expect.any(String),
      createdAt: expect.any(String),
    });
    expect(await operator.storage.from(bucket).exists('a/b.txt')).toEqual({ data: true, error: null });
    expect(await operator.storage.from(bucket).exists('a/c.txt')).toMatchObject({
      data: false,
      error: NOT_FOUND,
    });
    expect((await ana.client.storage.from(bucket).info('a/b.txt')).error).toMatchObject(NOT_FOUND);
    expect((await operator.storage.from('nada').info('a')).error).toMatchObject(NO_BUCKET);
    const publicly = `/object/info/public/${bucket}/a/b.txt`;
    expect((await send('GET', publicly, undefined, null)).body).toMatchObject(NO_BUCKET);
    await operator.storage.updateBucket(bucket, { public: true });
    expect((await send('GET', publicly, undefined, null)).body).toMatchObject({ size: 4 });
    expect((await ana.client.storage.from(bucket).info('a/b.txt')).data).toMatchObject({ size: 4 });
  });

  test('move within a bucket and to another one, and their bytes with them', async () => {
    const [from, to] = await Promise.all([createBucket(['a.txt', 'b.txt']), createBucket()]);
    const files = operator.storage.from(from);
    expect(await files.move('a.txt', 'pasta/a.txt')).toMatchObject({
      data: { message: 'Successfully moved', Key: `${from}/pasta/a.txt` },
      error: null,
    });
    expect((await files.move('pasta/a.txt', 'a.txt', { destinationBucket: to })).error).toBeNull();
    expect(await read(operator, to, 'a.txt')).toBe('x');
    expect((await files.list('')).data?.map(({ name }) => name)).toEqual(['b.txt']);
    expect((await files.move('a.txt', 'c.txt')).error).toMatchObject(NOT_FOUND);
    expect((await files.move('b.txt', 'a.txt', { destinationBucket: to })).error).toMatchObject(DUPLICATE);
    expect((await files.move('b.txt', 'a.txt', { destinationBucket: 'nada' })).error).toMatchObject(
      NO_BUCKET,
    );
    expect(await read(operator, from, 'b.txt')).toBe('x');
  });

  test('are copied with what their uploader noted, or without', async () => {
    const [from, to] = await Promise.all([createBucket(), createBucket()]);
    const files = operator.storage.from(from);
    await files.upload('a.txt', 'um', { contentType: 'text/plain', metadata: { cor: 'verde' } });
    expect((await files.copy('a.txt', 'b.txt')).data).toEqual({ path: `${from}/b.txt` });
    expect((await files.copy('a.txt', 'b.txt')).error).toMatchObject(DUPLICATE);
    expect((await files.info('b.txt')).data).toMatchObject({ size: 2, metadata: { cor: 'verde' } });
    expect(
      (await files.copy('a.txt', 'c.txt', { destinationBucket: to, copyMetadata: false })).error,
    ).toBeNull();
    expect((await operator.storage.from(to).info('c.txt')).data).toMatchObject({ size: 2, metadata: {} });
    await files.update('a.txt', 'dois', { contentType: 'text/plain' });
    expect(await read(operator, from, 'b.txt')).toBe('um');
    expect(await read(operator, to, 'c.txt')).toBe('um');
    expect((await files.copy('nada.txt', 'd.txt')).error).toMatchObject(NOT_FOUND);
    const upsert = { bucketId: from, sourceKey: 'a.txt', destinationKey: 'b.txt' };
    const response = await fetch(`${deployment.url}/storage/v1/object/copy`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${deployment.serviceRoleKey}`,
        'content-type': 'application/json',
        'x-upsert': 'true',
      },
      body: JSON.stringify(upsert),
    });
    expect(await response.json()).toMatchObject({
      Key: `${from}/b.txt`,
      Id: expect.any(String),
      name: 'b.txt',
    });
    expect(await read(operator, from, 'b.txt')).toBe('dois');
  });

  test('are refused by a bucket that does not take their kind or size, however they come', async () => {
    const from = await createBucket(['a.txt']);
    const images = await createBucket([], { public: false, allowedMimeTypes: ['image/*'] });
    const none = await createBucket([], { public: false, fileSizeLimit: 0 });
    const files = operator.storage.from(from);
    for (const way of ['copy', 'move'] as const) {
      expect((await files[way]('a.txt', 'a.txt', { destinationBucket: images })).error).toMatchObject({
        statusCode: '415',
      });
      expect((await files[way]('a.txt', 'a.txt', { destinationBucket: none })).error).toMatchObject({
        statusCode: '413',
      });
    }
    expect(await read(operator, from, 'a.txt')).toBe('x');
  });

  test('are removed, and what is not there is passed over', async () => {
    const bucket = await createBucket(['a.txt', 'b.txt']);
    const { data } = await operator.storage.from(bucket).remove(['a.txt', 'nada.txt']);
    expect(data).toEqual([
      expect.objectContaining({ name: 'a.txt', bucket_id: bucket, id: expect.any(String) }),
    ]);
    expect((await operator.storage.from(bucket).download('a.txt')).error).not.toBeNull();
    expect((await send('DELETE', `/object/${bucket}/b.txt`)).body).toEqual({
      message: 'Successfully deleted',
    });
    expect((await send('DELETE', `/object/${bucket}/b.txt`)).body).toMatchObject(NOT_FOUND);
    const old = [{ path: 'a.txt', versionId: randomUUID() }];
    expect((await operator.storage.from(bucket).remove(old)).error).toMatchObject({ statusCode: '409' });
    expect((await send('DELETE', `/object/${bucket}`, { prefixes: [] })).status).toBe(400);
  });

  test('written over, moved and removed by many at once end as one, with its own bytes', async () => {
    const bucket = await createBucket(['a.txt']);
    const files = operator.storage.from(bucket);
    const options = { contentType: 'text/plain', upsert: true };
    for (let round = 0; round < 3; round += 1) {
      await Promise.all([
        ...['um', 'dois', 'três'].map((text) => files.upload('a.txt', text, options)),
        files.move('a.txt', `movido-${round}.txt`),
        files.copy('a.txt', `copiado-${round}.txt`),
        files.remove(['a.txt']),
      ]);
      const left = (await files.list()).data ?? [];
      for (const { name } of left)
        expect(['x', 'um', 'dois', 'três']).toContain(await read(operator, bucket, name));
      await files.upload('a.txt', 'um', options);
    }
  });

  test.each([
    ['a path upwards', '../a'],
    ['a path that turns around', 'a/../../b'],
    ['a backslash', 'a\\b'],
    ['a letter that no address shows', 'ação.txt'],
    ['too much', 'a'.repeat(1025)],
    ['a line', 'a\nb'],
    ['nothing', ''],
  ])('are not named with %s', async (_what, name) => {
    const bucket = await createBucket(['a.txt']);
    for (const way of ['move', 'copy']) {
      const wish = { bucketId: bucket, sourceKey: 'a.txt', destinationKey: name };
      expect((await send('POST', `/object/${way}`, wish)).body, way).toMatchObject({
        code: 'InvalidKey',
        statusCode: '400',
      });
      expect((await send('POST', `/object/${way}`, { ...wish, sourceKey: name })).body, way).toMatchObject({
        code: 'InvalidKey',
      });
    }
    expect((await operator.storage.from(bucket).remove([name])).data ?? []).toEqual([]);
  });
});

describe('people', () => {
  test('keep files in their own folder, and a stranger and a visitor reach nothing of them', async () => {
    const mine = ana.client.storage.from('arquivos');
    const [a, b] = [`${ana.id}/notas.txt`, `${ana.id}/b.txt`];
    await put(ana.client, 'arquivos', a, 'segredo');
    expect((await mine.list('')).data?.map(({ name }) => name)).toEqual([ana.id]);
    expect((await mine.copy(a, b)).error).toBeNull();
    expect((await mine.move(b, `${ana.id}/c.txt`)).error).toBeNull();
    expect((await mine.copy(a, `${bia.id}/x.txt`)).error).toMatchObject(DENIED);
    expect((await mine.move(a, `${bia.id}/x.txt`)).error).toMatchObject(DENIED);
    for (const client of [bia.client, visitor]) {
      const theirs = client.storage.from('arquivos');
      expect((await theirs.list(ana.id)).data).toEqual([]);
      expect((await theirs.list('')).data).toEqual([]);
      expect((await theirs.listV2()).data?.objects).toEqual([]);
      expect((await theirs.info(a)).error).toMatchObject(NOT_FOUND);
      expect((await theirs.remove([a])).data).toEqual([]);
      expect((await theirs.copy(a, `${bia.id}/x.txt`)).error).toMatchObject(NOT_FOUND);
      expect((await theirs.move(a, `${bia.id}/x.txt`)).error).toMatchObject(NOT_FOUND);
      expect((await theirs.copy(a, 'x.txt', { destinationBucket: 'nada' })).error).toMatchObject(NOT_FOUND);
    }
    expect(await read(ana.client, 'arquivos', a)).toBe('segredo');
    expect((await mine.remove([a, `${ana.id}/c.txt`])).data).toHaveLength(2);
  });

  test('are told when their plan’s space is full, by copies too, and ten at once never get past it', async () => {
    const person = await createPerson(deployment);
    const files = person.client.storage.from('arquivos');
    const first = `${person.id}/0.txt`;
    await put(person.client, 'arquivos', first);
    // Nobody sends a hundred megabytes here: the record says that they were.
    await database.query(
      `update storage.objects set metadata = metadata || '{"size": 31457280}' where bucket_id = 'arquivos' and name = $1`,
      [first],
    );
    const full = { statusCode: '403', message: 'Limite de armazenamento de 100 MB atingido' };
    const copies = await Promise.all(
      Array.from({ length: 10 }, (_, at) => files.copy(first, `${person.id}/${at + 1}.txt`)),
    );
    expect(copies.filter(({ error }) => error === null)).toHaveLength(2);
    for (const { error } of copies) if (error !== null) expect(error).toMatchObject(full);
    expect((await files.move(first, `${person.id}/movido.txt`)).error).toBeNull();
    expect((await files.list(person.id)).data).toHaveLength(3);
  });

  test('who closed their account reach nothing any more', async () => {
    const person = await createPerson(deployment);
    const name = `${person.id}/a.txt`;
    await put(person.client, 'arquivos', name);
    await operator.rpc('close_account', { user_id: person.id });
    const files = person.client.storage.from('arquivos');
    expect((await files.list(person.id)).data).toEqual([]);
    expect((await files.move(name, `${person.id}/b.txt`)).error).toMatchObject(NOT_FOUND);
    expect((await files.upload(`${person.id}/b.txt`, 'x')).error).toMatchObject(DENIED);
    expect(await read(operator, 'arquivos', name)).toBe('x');
  });
});

describe('requests', () => {
  const PATHS = [
    '/bucket',
    '/bucket/arquivos',
    '/object/list/arquivos',
    '/object/info/arquivos/a',
    '/object/move',
  ];
  test('without a token are told what is missing, and with a bad one that it is bad', async () => {
    for (const path of PATHS) {
      const method = /list|move/.test(path) ? 'POST' : 'GET';
      expect(await send(method, path, undefined, null), path).toMatchObject({
        status: 400,
        body: { statusCode: '400', error: 'Error', message: expect.stringContaining('authorization') },
      });
      expect(await send(method, path, undefined, 'a.b.c'), path).toMatchObject({
        status: 400,
        body: { statusCode: '403', error: 'Unauthorized', code: 'InvalidJWT' },
      });
    }
  });

  test('for what is not there, or not offered, get the platform’s answer', async () => {
    expect(await send('GET', '/nada')).toMatchObject({
      status: 404,
      body: { statusCode: '404', error: 'Not Found' },
    });
    for (const [method, path] of [
      ['POST', '/vector/CreateIndex'],
      ['GET', '/bucket/arquivos/lifecycle'],
    ] as const)
      expect(await send(method, path), path).toMatchObject({
        status: 403,
        body: { code: 'FeatureNotEnabled' },
      });
  });

  test('of the client of May 2025 are understood as well', async () => {
    const bucket = await createBucket(['a/b.txt']);
    const older = createOlderClient(deployment.url, deployment.serviceRoleKey, {
      auth: { persistSession: false, autoRefreshToken: false },
    }).storage;
    const files = older.from(bucket);
    expect((await older.getBucket(bucket)).data).toMatchObject({ id: bucket, public: false });
    expect((await files.list('a')).data).toEqual([expect.objectContaining({ name: 'b.txt' })]);
    expect((await files.copy('a/b.txt', 'c.txt')).data).toEqual({ path: `${bucket}/c.txt` });
    expect((await files.move('c.txt', 'd.txt')).data).toMatchObject({ message: 'Successfully moved' });
    expect((await files.info('d.txt')).data).toMatchObject({ name: 'd.txt', size: 1 });
    expect((await files.exists('d.txt')).data).toBe(true);
    expect((await files.exists('nada.txt')).data).toBe(false);
    expect((await files.remove(['d.txt'])).data).toHaveLength(1);
  });
});
