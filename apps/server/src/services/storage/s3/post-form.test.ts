import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, readTags, S3_KEYS, type S3Bench, startS3 } from '../test-support/start-s3.ts';
import { PROJECT_REF } from './authorize.ts';
import { deriveKey } from './signature.ts';

let s3: S3Bench;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3.bench.stop());

type Wish = {
  readonly fields?: Readonly<Record<string, string>>;
  /** Besides those that name each field. */
  readonly conditions?: readonly unknown[];
  /** Fields that no condition names. */
  readonly unsigned?: Readonly<Record<string, string>>;
  /** Fields as they are sent in the end. */
  readonly changed?: Readonly<Record<string, string>>;
  readonly keys?: { accessKeyId: string; secretAccessKey: string };
  readonly expiresInMs?: number;
  readonly body?: string;
  readonly bucket?: string;
};

/** As `createPresignedPost` of Amazon's SDK makes it. */
function post({
  fields = {},
  conditions = [],
  unsigned = {},
  changed = {},
  keys = S3_KEYS,
  expiresInMs = 60_000,
  body = 'oi',
  bucket = 'publico',
}: Wish): Promise<Response> {
  const date = new Date().toISOString().replace(/[:-]|\.\d{3}/g, '');
  const scope = `${date.slice(0, 8)}/sa-east-1/s3/aws4_request`;
  const signed = {
    bucket: 'publico',
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${keys.accessKeyId}/${scope}`,
    'X-Amz-Date': date,
    ...fields,
  };
  const Policy = Buffer.from(
    JSON.stringify({
      expiration: new Date(Date.now() + expiresInMs).toISOString(),
      conditions: [...conditions, ...Object.entries(signed).map(([name, value]) => ({ [name]: value }))],
    }),
  ).toString('base64');
  const key = deriveKey(keys.secretAccessKey, scope);
  const form = new FormData();
  const all = { ...signed, ...unsigned, Policy, 'X-Amz-Signature': sign(key, Policy), ...changed };
  for (const [name, value] of Object.entries(all)) form.set(name, value);
  form.set('file', new Blob([body], { type: 'text/plain' }), 'nota.txt');
  return fetch(s3.toUrl(`/${bucket}`), { method: 'POST', body: form });
}

const sign = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('hex');

describe('a form that somebody signed', () => {
  it('stores its file with what the fields say of it', async () => {
    const fields = { key: 'formulario.csv', 'Content-Type': 'text/csv', 'x-amz-meta-cor': 'azul' };
    const answer = await post({ fields });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    const stored = await s3.asOperator('/publico/formulario.csv');
    expect([
      await stored.text(),
      stored.headers.get('content-type'),
      stored.headers.get('x-amz-meta-cor'),
    ]).toEqual(['oi', 'text/csv', 'azul']);
  });

  it('names its file by the sender’s, below what the policy says, and answers as it was asked', async () => {
    const created = await post({
      conditions: [['starts-with', '$key', 'pasta/']],
      unsigned: { key: `pasta/\${filename}` },
      fields: { success_action_status: '201' },
    });
    expect(created.status).toBe(201);
    expect(readTags(await created.text(), 'Key')).toEqual(['pasta/nota.txt']);
    expect((await post({ fields: { key: 'b', success_action_status: '204' } })).status).toBe(204);
  });

  it('of a session is under the policies of its person', async () => {
    const keys = { accessKeyId: PROJECT_REF, secretAccessKey: s3.bench.keyring.anonKey };
    const wish = (id: string): Wish => ({
      keys,
      fields: { bucket: 'gavetas', key: `${id}/formulario.txt`, 'X-Amz-Security-Token': s3.ana.token },
      bucket: 'gavetas',
    });
    expect((await post(wish(s3.ana.id))).status).toBe(200);
    expect(await codeOf(await post(wish(s3.bia.id)))).toEqual([403, 'AccessDenied']);
  });

  const key = 'recusado.txt';
  it.each<[string, Wish, number, string]>([
    [
      'with another secret',
      { fields: { key }, keys: { ...S3_KEYS, secretAccessKey: 'outro' } },
      403,
      'SignatureDoesNotMatch',
    ],
    ['with another policy', { fields: { key }, changed: { Policy: 'e30=' } }, 403, 'SignatureDoesNotMatch'],
    ['without a signature', { fields: { key }, changed: { 'X-Amz-Algorithm': '' } }, 403, 'AccessDenied'],
    ['too late', { fields: { key }, expiresInMs: -1000 }, 403, 'AccessDenied'],
    ['with another name', { fields: { key }, changed: { key: 'outro' } }, 403, 'AccessDenied'],
    ['with a name that nobody signed', { unsigned: { key } }, 403, 'AccessDenied'],
    [
      'with a note that nobody signed',
      { fields: { key }, unsigned: { 'x-amz-meta-cor': 'azul' } },
      403,
      'AccessDenied',
    ],
    ['to another bucket', { fields: { key }, bucket: 'gavetas' }, 403, 'AccessDenied'],
    [
      'outside its folder',
      { conditions: [['starts-with', '$key', 'pasta/']], unsigned: { key } },
      403,
      'AccessDenied',
    ],
    [
      'with no condition that can be read',
      { fields: { key }, conditions: [['matches', '$key', '.*']] },
      400,
      'InvalidRequest',
    ],
    [
      'with a file too large for it',
      { fields: { key }, conditions: [['content-length-range', 0, 1]] },
      413,
      'EntityTooLarge',
    ],
    [
      'with a file too small for it',
      { fields: { key }, conditions: [['content-length-range', 3, 9]] },
      400,
      'InvalidRequest',
    ],
    [
      'with another file than was summed up',
      { fields: { key, 'Content-MD5': 'AAAAAAAAAAAAAAAAAAAAAA==' } },
      400,
      'BadDigest',
    ],
    [
      'that leads elsewhere',
      { fields: { key, success_action_redirect: 'https://example.com' } },
      501,
      'NotImplemented',
    ],
    ['without a name', {}, 400, 'InvalidKey'],
  ])('is refused %s', async (_what, wish, status, code) => {
    expect(await codeOf(await post(wish))).toEqual([status, code]);
    expect((await s3.asOperator(`/publico/${key}`, { method: 'HEAD' })).status).toBe(404);
  });
});
