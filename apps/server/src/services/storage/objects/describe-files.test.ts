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

const JSON_BODY = { 'content-type': 'application/json' };
const encode = (notes: unknown) => Buffer.from(JSON.stringify(notes)).toString('base64');
const put = (name: string, { bucket = 'arquivos', headers = {} } = {}) =>
  bench.ask('PUT', `/object/${bucket}/${ana.id}/${name}`, {
    as: ana,
    headers: { 'content-type': 'text/plain', ...headers },
    body: 'olá',
  });
const send = async (method: string, path: string, body: object, headers = {}) => {
  const answer = await bench.ask(method, path, {
    as: ana,
    headers: { ...JSON_BODY, ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
};

describe('the service', () => {
  it('says to anybody that it runs and what it speaks', async () => {
    for (const path of ['/status', '/statusz']) {
      const answer = await bench.ask('GET', path);
      expect([answer.status, await answer.text()]).toEqual([200, '']);
    }
    const version = await bench.ask('GET', '/version');
    expect([version.status, await version.text()]).toEqual([200, expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
  });
});

describe('what is known of a file', () => {
  const info = (method: string, kind: string, bucket: string, as?: Person) =>
    bench.ask(method, `/object/info/${kind}${bucket}/${ana.id}/dito.txt`, as ? { as } : {});

  it.each([
    ['', 'arquivos'],
    ['authenticated/', 'arquivos'],
    ['public/', 'publico'],
  ])('is in the headers that HEAD shows: %s%s', async (kind, bucket) => {
    await put('dito.txt', { bucket });
    const [head, get] = [await info('HEAD', kind, bucket, ana), await info('GET', kind, bucket, ana)];
    const { etag, last_modified: lastModified } = await get.json();
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const { headers } of [head, get]) {
      expect(headers.get('etag')).toBe(etag);
      expect(headers.get('last-modified')).toBe(new Date(lastModified).toUTCString());
    }
  });

  it('is not told to a stranger, in a header neither', async () => {
    await put('dito.txt');
    for (const as of [stranger, undefined]) {
      const head = await info('HEAD', '', 'arquivos', as);
      expect([head.status, head.headers.get('etag')]).toEqual([400, null]);
    }
  });

  it('names its owner in what a removal and a copy answer', async () => {
    await put('meu.txt');
    const owned = { owner: ana.id, owner_id: ana.id, bucket_id: 'arquivos' };
    const [sourceKey, destinationKey] = [`${ana.id}/meu.txt`, `${ana.id}/meu tambem.txt`];
    const copy = { bucketId: 'arquivos', sourceKey, destinationKey };
    expect((await send('POST', '/object/copy', copy)).body).toMatchObject({
      ...owned,
      Key: `arquivos/${destinationKey}`,
      Id: expect.any(String),
      name: destinationKey,
    });
    const prefixes = [sourceKey, destinationKey];
    const removed = await send('DELETE', '/object/arquivos', { prefixes });
    expect(removed.body).toHaveLength(2);
    for (const object of removed.body) expect(object).toMatchObject(owned);
  });
});

describe('the notes of a copy', () => {
  const copyNotes = async (name: string, body: object, headers: object) => {
    const destinationKey = `${ana.id}/${name}`;
    const sourceKey = `${ana.id}/anotado.txt`;
    await put('anotado.txt', { headers: { 'x-metadata': encode({ de: 'fonte' }) } });
    const wish = { bucketId: 'arquivos', sourceKey, destinationKey, ...body };
    return (await send('POST', '/object/copy', wish, { 'x-upsert': 'true', ...headers })).body.user_metadata;
  };

  it('are those of its source', async () => {
    expect(await copyNotes('c1.txt', {}, { 'x-metadata': encode({ de: 'cópia' }) })).toEqual({ de: 'fonte' });
  });

  it('are the header’s where the source’s stay behind', async () => {
    const alone = { copyMetadata: false };
    expect(await copyNotes('c2.txt', alone, { 'x-metadata': encode({ de: 'cópia' }) })).toEqual({
      de: 'cópia',
    });
    expect(await copyNotes('c3.txt', alone, {})).toBeNull();
    expect(await copyNotes('c4.txt', alone, { 'x-metadata': '%%%' })).toBeNull();
  });
});

describe('a name with empty parts', () => {
  it('is another one than that without, and is listed as it is', async () => {
    const names = [`${ana.id}/pasta/x.txt`, `${ana.id}/pasta///x.txt`];
    for (const name of ['pasta/x.txt', 'pasta///x.txt']) expect((await put(name)).status).toBe(200);
    const prefix = `${ana.id}/pasta`;
    const flat = await send('POST', '/object/list-v2/arquivos', { prefix });
    expect(flat.body.objects.map(({ name }: { name: string }) => name)).toEqual([...names].toSorted());
    const folders = await send('POST', '/object/list-v2/arquivos', {
      prefix: `${prefix}/`,
      with_delimiter: true,
    });
    expect(folders.body.folders).toEqual([{ key: expect.any(String), name: `${prefix}//` }]);
    const level = await send('POST', '/object/list/arquivos', { prefix });
    expect(level.body.map(({ name, id }: { name: string; id: string | null }) => [name, id])).toEqual([
      ['', null],
      ['x.txt', expect.any(String)],
    ]);
    const removed = await send('DELETE', '/object/arquivos', { prefixes: [names[1]] });
    expect(removed.body).toHaveLength(1);
    const kept = await bench.ask('GET', `/object/arquivos/${names[0]}`, { as: ana });
    expect(kept.status).toBe(200);
  });

  it('leads nobody into another’s folder', async () => {
    for (const name of [`/${ana.id}/x.txt`, `${stranger.id}//../${ana.id}/x.txt`, `//${ana.id}/x.txt`]) {
      const path = `/object/arquivos/${encodeURIComponent(name)}`;
      const answer = await bench.ask('PUT', path, { as: stranger, body: 'x' });
      expect(answer.status).toBe(400);
    }
  });
});
