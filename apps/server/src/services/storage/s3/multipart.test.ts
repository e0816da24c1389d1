import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweepOrphans } from '../blobs/sweep-orphans.ts';
import { sweepUploads } from '../resumable/sweep-uploads.ts';
import type { FilesBench, Person } from '../test-support/start-files.ts';
import { codeOf, put, readTags, type S3Bench, startS3 } from '../test-support/start-s3.ts';

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
    headers = {},
  ) =>
    as(person, `/gavetas/${name}?uploadId=${id}`, {
      method: 'POST',
      headers,
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
    expect(readTags(await (await as(ana, `/gavetas?uploads&prefix=${name}`)).text(), 'UploadId')).toEqual([
      id,
    ]);
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

  it('does not write over a file that came meanwhile, where its sender says so', async () => {
    const before = await bench.countBlobs();
    const name = `${ana.id}/tomado`;
    const id = await begin(ana, name);
    const parts = [[1, etagOf(await part(ana, name, id, 1, 'em partes'))]] as const;
    await as(ana, `/gavetas/${name}`, put('mais cedo'));
    const refused = await complete(ana, name, id, parts, { 'if-none-match': '*' });
    expect(await codeOf(refused)).toEqual([412, 'PreconditionFailed']);
    const late = await complete(ana, name, id, parts, { 'if-match': '"outro"' });
    expect(await codeOf(late)).toEqual([412, 'PreconditionFailed']);
    expect(await (await as(ana, `/gavetas/${name}`)).text()).toBe('mais cedo');
    expect((await as(ana, `/gavetas/${name}?uploadId=${id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await bench.countBlobs()).toBe(before + 1);
  });

  it('may be completed with the sum of the whole, which is not that of the list', async () => {
    const name = `${ana.id}/somado`;
    const id = await begin(ana, name);
    const parts = [[1, etagOf(await part(ana, name, id, 1, 'abc'))]] as const;
    // The sum of `abc` by zlib: 352441c2.
    const sums = { 'x-amz-checksum-crc32': 'NSRBwg==', 'x-amz-checksum-type': 'FULL_OBJECT' };
    const wrong = { ...sums, 'content-md5': 'AAAAAAAAAAAAAAAAAAAAAA==' };
    const refused = await complete(ana, name, id, parts, wrong);
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('BadDigest')]);
    const before = await bench.countBlobs();
    const other = { ...sums, 'x-amz-checksum-crc32': 'AAAAAA==' };
    expect(await codeOf(await complete(ana, name, id, parts, other))).toEqual([400, 'BadDigest']);
    expect(await bench.countBlobs()).toBe(before);
    expect((await complete(ana, name, id, parts, sums)).status).toBe(200);
    expect(await (await as(ana, `/gavetas/${name}`)).text()).toBe('abc');
  });

  it('may be completed with a sum of the sums of its parts, which is none of the file', async () => {
    const name = `${ana.id}/composto`;
    const id = await begin(ana, name);
    const parts = [[1, etagOf(await part(ana, name, id, 1, 'abc'))]] as const;
    const sums = { 'x-amz-checksum-crc32': 'AAAAAA==-1', 'x-amz-checksum-type': 'COMPOSITE' };
    expect((await complete(ana, name, id, parts, sums)).status).toBe(200);
    expect(await (await as(ana, `/gavetas/${name}`)).text()).toBe('abc');
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
    for (const range of ['bytes=-5', 'bytes=5-', 'linhas=1-2'])
      expect(
        await codeOf(await copy(ana, name, id, { ...source, 'x-amz-copy-source-range': range })),
      ).toEqual([400, 'InvalidParameter']);
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

  it('is listed page by page, by its key and, of one key, by its id', async () => {
    const person = await bench.createPerson();
    const [a, b] = [`${person.id}/a`, `${person.id}/b`];
    for (const name of [b, a, a]) await begin(person, name);
    await begin(ana, `${ana.id}/a`);
    const page = async (query: string) => {
      const text = await (await as(person, `/gavetas?uploads&max-uploads=2&${query}`)).text();
      const one = (tag: string) => readTags(text, tag)[0] ?? '';
      const next = `key-marker=${one('NextKeyMarker')}&upload-id-marker=${one('NextUploadIdMarker')}`;
      return { keys: readTags(text, 'Key'), ids: readTags(text, 'UploadId'), next, more: one('IsTruncated') };
    };
    const first = await page('');
    expect(first).toMatchObject({ keys: [a, a], more: 'true' });
    expect(first.ids).toEqual([...first.ids].toSorted());
    expect(await page(first.next)).toMatchObject({ keys: [b], more: 'false' });
    expect(await page(`key-marker=${a}&upload-id-marker=${first.ids[0]}`)).toMatchObject({
      keys: [a, b],
      more: 'false',
    });
    expect(await page(`key-marker=${a}`)).toMatchObject({ keys: [b] });
    expect(await page(`prefix=${b}`)).toMatchObject({ keys: [b] });
    const strange = await as(person, `/gavetas?uploads&key-marker=${a}&upload-id-marker=nada`);
    expect(await codeOf(strange)).toEqual([400, 'InvalidParameter']);
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

  it('counts with the bytes of its own other parts, and of the person’s other unfinished ones', async () => {
    const person = await bench.createPerson();
    const other = await begin(person, `${person.id}/outro`);
    const name = `${person.id}/este`;
    const id = await begin(person, name);
    // Nobody sends a hundred megabytes here: the record says that they were.
    await bench.database.admin.query(
      `insert into storage.s3_multipart_uploads_parts (upload_id, part_number, version, size, etag)
        values ($1, 1, gen_random_uuid(), 100 * 1048576 - 100300, 'x')`,
      [other],
    );
    const bytes = Buffer.alloc(60_000);
    expect((await part(person, name, id, 1, bytes)).status).toBe(200);
    expect(await codeOf(await part(person, name, id, 2, bytes))).toEqual([403, 'AccessDenied']);
    expect((await part(person, name, id, 2, bytes.subarray(0, 30_000))).status).toBe(200);
    await as(person, `/gavetas/${name}?uploadId=${id}`, { method: 'DELETE' });
  });
});
