import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { openServerDatabase, type ServerDatabase } from '@linkoteca/server-process/open-server-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPerson, type Person } from './support/create-person.ts';
import { required } from './support/required.ts';
import { type Deployment, type RunningDeployment, startDeployment } from './support/start-deployment.ts';

const KEYS = { accessKeyId: 'operador', secretAccessKey: `segredo-${randomUUID()}` };

let running: RunningDeployment;
let deployment: Deployment;
let operator: S3Client;
let ana: Person;
let bia: Person;
let database: ServerDatabase;
beforeAll(async () => {
  running = await startDeployment({
    S3_PROTOCOL_ACCESS_KEY_ID: KEYS.accessKeyId,
    S3_PROTOCOL_ACCESS_KEY_SECRET: KEYS.secretAccessKey,
  });
  deployment = running.deployment;
  operator = open(KEYS);
  [ana, bia] = [await createPerson(deployment), await createPerson(deployment)];
  database = await openServerDatabase(deployment.dataFolder);
});
afterAll(async () => {
  await database.end();
  await running.remove();
});

function open(credentials: {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}): S3Client {
  return new S3Client({
    credentials,
    endpoint: `${deployment.url}/storage/v1/s3`,
    region: 'sa-east-1',
    forcePathStyle: true,
    maxAttempts: 1,
  });
}

/** As the platform has it: the project's reference, the public key and the person's own token. */
async function openAs({ client }: Person): Promise<S3Client> {
  const { data } = await client.auth.getSession();
  return open({
    accessKeyId: 'linkoteca',
    secretAccessKey: deployment.anonKey,
    sessionToken: required(data.session).access_token,
  });
}

test('the operator makes a bucket, and puts, reads, copies, lists and deletes files in it', async () => {
  const Bucket = `balde-${randomUUID()}`;
  await operator.send(new CreateBucketCommand({ Bucket }));
  expect((await operator.send(new HeadBucketCommand({ Bucket }))).$metadata.httpStatusCode).toBe(200);
  const { Buckets = [] } = await operator.send(new ListBucketsCommand({}));
  expect(Buckets.map(({ Name }) => Name)).toContain(Bucket);

  const Key = 'pasta/olá mundo (1)+a&b.txt'.normalize('NFC').replace('á', 'a');
  const body = { ContentType: 'text/plain', Metadata: { cor: 'azul' } };
  await operator.send(new PutObjectCommand({ Bucket, Key, Body: 'olá', ...body }));
  const got = await operator.send(new GetObjectCommand({ Bucket, Key }));
  expect([await got.Body?.transformToString(), got.ContentType, got.Metadata]).toEqual([
    'olá',
    'text/plain',
    { cor: 'azul' },
  ]);
  // A stream has no length that it could say, nor a hash beforehand: it comes in pieces, with its sum behind.
  const bytes = randomBytes(300_000);
  const Body = Readable.from([bytes.subarray(0, 100_000), bytes.subarray(100_000)]);
  await operator.send(new PutObjectCommand({ Bucket, Key: 'fluxo.bin', Body, ContentLength: bytes.length }));
  const part = await operator.send(
    new GetObjectCommand({ Bucket, Key: 'fluxo.bin', Range: 'bytes=99990-100010' }),
  );
  expect(
    Buffer.from((await part.Body?.transformToByteArray()) ?? []).equals(bytes.subarray(99_990, 100_011)),
  ).toBe(true);
  expect(part.ContentRange).toBe('bytes 99990-100010/300000');

  const CopySource = encodeURI(`${Bucket}/${Key}`).replace('+', '%2B').replace('&', '%26');
  const copied = await operator.send(new CopyObjectCommand({ Bucket, Key: 'copia.txt', CopySource }));
  expect(copied.CopyObjectResult?.ETag).toBe(got.ETag);
  expect((await operator.send(new HeadObjectCommand({ Bucket, Key: 'copia.txt' }))).ContentLength).toBe(4);

  const list = await operator.send(new ListObjectsV2Command({ Bucket, Delimiter: '/', MaxKeys: 2 }));
  expect(list.Contents?.map((file) => [file.Key, file.Size])).toEqual([
    ['copia.txt', 4],
    ['fluxo.bin', 300_000],
  ]);
  const next = { Bucket, Delimiter: '/', ContinuationToken: list.NextContinuationToken };
  expect((await operator.send(new ListObjectsV2Command(next))).CommonPrefixes).toEqual([
    { Prefix: 'pasta/' },
  ]);
  expect(
    (await operator.send(new ListObjectsCommand({ Bucket }))).Contents?.map((file) => file.Key),
  ).toContain(Key);

  await expect(operator.send(new DeleteBucketCommand({ Bucket }))).rejects.toMatchObject({
    name: 'BucketNotEmpty',
  });
  const Objects = [{ Key }, { Key: 'fluxo.bin' }];
  const gone = await operator.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  expect(gone.Deleted?.map((file) => file.Key)).toEqual([Key, 'fluxo.bin']);
  await operator.send(new DeleteObjectCommand({ Bucket, Key: 'copia.txt' }));
  await expect(operator.send(new GetObjectCommand({ Bucket, Key }))).rejects.toMatchObject({
    name: 'NoSuchKey',
  });
  await operator.send(new DeleteBucketCommand({ Bucket }));
  await expect(operator.send(new HeadBucketCommand({ Bucket }))).rejects.toMatchObject({ name: 'NotFound' });
});

test('a person has the own files by a session, within the own plan, and nobody else’s', async () => {
  const [asAna, asBia] = [await openAs(ana), await openAs(bia)];
  const Bucket = 'arquivos';
  const Key = `${ana.id}/notas.txt`;
  const put = { Bucket, Key, Body: 'segredo', ContentType: 'text/plain' };
  await asAna.send(new PutObjectCommand(put));
  const { data } = await ana.client.storage.from(Bucket).download(Key);
  expect(await data?.text()).toBe('segredo');
  const CopySource = `${Bucket}/${Key}`;
  const visitor = open({
    accessKeyId: 'linkoteca',
    secretAccessKey: deployment.anonKey,
    sessionToken: deployment.anonKey,
  });
  for (const stranger of [asBia, visitor, open({ ...KEYS, secretAccessKey: `segredo-${randomUUID()}` })]) {
    await expect(stranger.send(new PutObjectCommand(put))).rejects.toBeInstanceOf(Error);
    await expect(stranger.send(new GetObjectCommand({ Bucket, Key }))).rejects.toBeInstanceOf(Error);
    await expect(
      stranger.send(new CopyObjectCommand({ Bucket, Key: `${bia.id}/meu.txt`, CopySource })),
    ).rejects.toBeInstanceOf(Error);
    await expect(stranger.send(new CreateMultipartUploadCommand({ Bucket, Key }))).rejects.toBeInstanceOf(
      Error,
    );
    await stranger.send(new DeleteObjectCommand({ Bucket, Key })).catch(() => undefined);
  }
  expect((await asBia.send(new ListObjectsV2Command({ Bucket }))).Contents).toBeUndefined();
  expect((await asAna.send(new HeadObjectCommand({ Bucket, Key }))).ContentLength).toBe(7);

  // Nobody sends a hundred megabytes here: the record says that they were.
  await database.query(
    `update storage.objects set metadata = metadata || '{"size": 104857000}' where bucket_id = $1 and name = $2`,
    [Bucket, Key],
  );
  const full = { name: 'AccessDenied', message: 'Limite de armazenamento de 100 MB atingido' };
  const more = { Bucket, Key: `${ana.id}/mais.txt` };
  const Body = 'x'.repeat(2000);
  await expect(asAna.send(new PutObjectCommand({ ...more, Body }))).rejects.toMatchObject(full);
  const { UploadId } = await asAna.send(new CreateMultipartUploadCommand(more));
  const part = { ...more, UploadId, PartNumber: 1 };
  await expect(asAna.send(new UploadPartCommand({ ...part, Body }))).rejects.toMatchObject(full);
});

test('a file of several parts is put together by the SDK’s own commands, or given up', async () => {
  const Bucket = `balde-${randomUUID()}`;
  await operator.send(new CreateBucketCommand({ Bucket }));
  const Key = 'grande.bin';
  const { UploadId } = await operator.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  const upload = { Bucket, Key, UploadId };
  const halves = [randomBytes(5 * 1024 * 1024), randomBytes(1000)];
  const Parts = await Promise.all(
    halves.map(async (Body, at) => {
      const sent = await operator.send(new UploadPartCommand({ ...upload, PartNumber: at + 1, Body }));
      return { PartNumber: at + 1, ETag: sent.ETag };
    }),
  );
  const listed = await operator.send(new ListPartsCommand(upload));
  expect(listed.Parts?.map(({ Size }) => Size)).toEqual([5 * 1024 * 1024, 1000]);
  expect((await operator.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads).toMatchObject([
    { UploadId },
  ]);
  await operator.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
  const got = await operator.send(new GetObjectCommand({ Bucket, Key }));
  expect(Buffer.from((await got.Body?.transformToByteArray()) ?? []).equals(Buffer.concat(halves))).toBe(
    true,
  );

  const second = await operator.send(new CreateMultipartUploadCommand({ Bucket, Key: 'outro' }));
  const other = { Bucket, Key: 'outro', UploadId: second.UploadId };
  const copied = await operator.send(
    new UploadPartCopyCommand({
      ...other,
      PartNumber: 1,
      CopySource: `${Bucket}/${Key}`,
      CopySourceRange: 'bytes=0-9',
    }),
  );
  expect(copied.CopyPartResult?.ETag).toMatch(/^"[0-9a-f]{32}"$/);
  await operator.send(new AbortMultipartUploadCommand(other));
  await expect(operator.send(new ListPartsCommand(other))).rejects.toMatchObject({ name: 'NoSuchUpload' });
});
