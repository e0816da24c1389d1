import { randomUUID } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createPerson, type Person } from './support/create-person.ts';
import { createOperator, createVisitor } from './support/create-visitor.ts';
import { required } from './support/required.ts';

const deployment = inject('deployment');
const operator = createOperator(deployment);
const bucket = `fotos-${randomUUID()}`;
let ana: Person;
let stranger: Person;

/** A black PNG of that size (PNG specification, section 5). */
function createPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(height * (width + 1)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

async function sizeOf(picture: Blob | null): Promise<readonly number[]> {
  const bytes = Buffer.from(await required(picture, null).arrayBuffer());
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

const name = () => `${ana.id}/foto.png`;

beforeAll(async () => {
  ana = await createPerson(deployment);
  stranger = await createPerson(deployment);
  await operator.storage.createBucket(bucket, { public: true });
  const body = createPng(40, 20);
  const options = { contentType: 'image/png' };
  await operator.storage.from(bucket).upload('foto.png', body, options);
  const { error } = await ana.client.storage.from('arquivos').upload(name(), body, options);
  if (error !== null) throw error;
});
afterAll(() => operator.storage.emptyBucket(bucket));

describe('a picture', () => {
  test('is downloaded as it is asked for, by whom it belongs to', async () => {
    const files = ana.client.storage.from('arquivos');
    const download = async (transform: NonNullable<Parameters<typeof files.download>[1]>['transform']) =>
      sizeOf((await files.download(name(), { transform: { format: 'origin', ...transform } })).data);
    expect(await download({ width: 10 })).toEqual([10, 5]);
    expect(await download({ width: 10, height: 10, resize: 'cover' })).toEqual([10, 10]);
    expect(await download({ width: 10, height: 10, resize: 'contain' })).toEqual([10, 5]);
    for (const client of [stranger.client, createVisitor(deployment)]) {
      const { data } = await client.storage.from('arquivos').download(name(), { transform: { width: 10 } });
      expect(data).toBeNull();
    }
  });

  test('of a public bucket opens for everybody', async () => {
    const { publicUrl } = operator.storage
      .from(bucket)
      .getPublicUrl('foto.png', { transform: { width: 10, quality: 50, format: 'origin' } }).data;
    const answer = await fetch(publicUrl);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(await sizeOf(await answer.blob())).toEqual([10, 5]);
    const webp = await fetch(publicUrl.replace('format=origin', ''), { headers: { accept: 'image/webp' } });
    expect(webp.headers.get('content-type')).toBe('image/webp');
  });

  test('with a signed address is shown in that size, and no other', async () => {
    const { data, error } = await ana.client.storage
      .from('arquivos')
      .createSignedUrl(name(), 60, { transform: { width: 20, height: 20, resize: 'fill' } });
    const { signedUrl } = required(data, error);
    expect(await sizeOf(await (await fetch(signedUrl)).blob())).toEqual([20, 20]);
    expect(await sizeOf(await (await fetch(`${signedUrl}&width=40`)).blob())).toEqual([20, 20]);
    expect((await fetch(signedUrl.replace('/render/image/', '/object/'))).status).toBe(400);
  });

  test('that is none, or is asked for in no way that there is, is refused', async () => {
    const files = operator.storage.from(bucket);
    await files.upload('texto.png', 'not an image', { contentType: 'image/png' });
    for (const transform of [{ width: 10 }, { width: -1 }, { quality: 5 }]) {
      const { publicUrl } = files.getPublicUrl('texto.png', { transform }).data;
      const answer = await fetch(publicUrl);
      expect([answer.status, await answer.json()]).toMatchObject([400, { statusCode: '400' }]);
    }
  });
});
