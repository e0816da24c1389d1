import { randomBytes, randomUUID } from 'node:crypto';
import { createDataFolder, type DataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { type ServerProcess, startServerProcess } from '@linkoteca/server-process/start-server-process';
import { DetailedError, Upload, type UploadOptions } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createPerson, type Person } from './support/create-person.ts';
import { type Client, createOperator, createVisitor } from './support/create-visitor.ts';
import { readKeys } from './support/read-keys.ts';
import { required } from './support/required.ts';
import type { Deployment } from './support/start-deployment.ts';

const deployment = inject('deployment');
let ana: Person;
let stranger: Person;
beforeAll(async () => {
  ana = await createPerson(deployment);
  stranger = await createPerson(deployment);
});

type Wish = Omit<Partial<UploadOptions>, 'metadata'> & {
  readonly bucket?: string;
  readonly contentType?: string;
  /** Where the upload stops by itself, in bytes. */
  readonly pauseAt?: number;
  readonly server?: Pick<Deployment, 'url'>;
};

const authorize = async ({ auth }: Client) => {
  const { data } = await auth.getSession();
  return { authorization: `Bearer ${required(data.session, null).access_token}` };
};

/**
 * Sends a file with the published client as the platform's documents say, without trying again.
 * @returns the client's upload once it has ended or was paused. @throws what the client reports.
 */
function send(body: Buffer, name: string, headers: Record<string, string>, wish: Wish = {}): Promise<Upload> {
  const {
    bucket = 'arquivos',
    contentType = 'application/octet-stream',
    pauseAt,
    server = deployment,
  } = wish;
  return new Promise((resolve, reject) => {
    const upload = new Upload(body, {
      endpoint: `${server.url}/storage/v1/upload/resumable`,
      chunkSize: 100_000,
      retryDelays: null,
      headers,
      metadata: { bucketName: bucket, objectName: name, contentType, cacheControl: '60' },
      onSuccess: () => resolve(upload),
      onError: reject,
      onChunkComplete: (_size, accepted) => {
        if (pauseAt !== undefined && accepted >= pauseAt) upload.abort().then(() => resolve(upload), reject);
      },
      ...wish,
    });
    upload.start();
  });
}

const statusOf = async (sending: Promise<unknown>) => {
  const error = await sending.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DetailedError);
  return (error as DetailedError).originalResponse?.getStatus();
};

async function download(client: Client, name: string, bucket = 'arquivos'): Promise<Buffer | null> {
  const { data } = await client.storage.from(bucket).download(name);
  return data && Buffer.from(await data.arrayBuffer());
}

describe('a resumable upload', () => {
  test('is paused, resumed by another client, and becomes the file', async () => {
    const body = randomBytes(1_000_000);
    const name = `${ana.id}/pausado.bin`;
    const headers = await authorize(ana.client);
    const paused = await send(body, name, headers, { pauseAt: 300_000 });
    expect(await download(ana.client, name)).toBeNull();
    const asked: string[] = [];
    await send(body, name, headers, {
      uploadUrl: paused.url,
      onAfterResponse: (request) => void asked.push(request.getMethod()),
    });
    expect(asked[0]).toBe('HEAD');
    // Three of ten parts were there.
    expect(asked.filter((method) => method === 'PATCH').length).toBeLessThanOrEqual(7);
    expect((await download(ana.client, name))?.equals(body)).toBe(true);
    const { data } = await ana.client.storage.from('arquivos').info(name);
    expect(data).toMatchObject({ size: 1_000_000, cacheControl: 'max-age=60' });
  });

  test('goes up in one request, too, with its creation, and by POST alone', async () => {
    const body = randomBytes(500_000);
    const headers = await authorize(ana.client);
    const ways = {
      inteiro: { chunkSize: Number.POSITIVE_INFINITY },
      junto: { uploadDataDuringCreation: true },
      'por-post': { overridePatchMethod: true },
    };
    for (const [label, way] of Object.entries(ways)) {
      await send(body, `${ana.id}/${label}.bin`, headers, way);
      expect((await download(ana.client, `${ana.id}/${label}.bin`))?.equals(body)).toBe(true);
    }
  });

  test('that two clients send at once ends up as one whole file', async () => {
    const body = randomBytes(1_000_000);
    const name = `${ana.id}/a-dois.bin`;
    const headers = await authorize(ana.client);
    const { url } = await send(body, name, headers, { pauseAt: 100_000 });
    const both = await Promise.allSettled(
      [1, 2].map(() => send(body, name, headers, { uploadUrl: url, retryDelays: Array(20).fill(10) })),
    );
    expect(both.map(({ status }) => status)).toContain('fulfilled');
    expect((await download(ana.client, name))?.equals(body)).toBe(true);
  });

  test('is nobody else’s to continue, to end or to begin', async () => {
    const body = randomBytes(300_000);
    const name = `${ana.id}/alheio.bin`;
    const headers = await authorize(ana.client);
    const { url } = await send(body, name, headers, { pauseAt: 100_000 });
    const theirs = await authorize(stranger.client);
    // The client begins anew where there is nothing to resume, and may not.
    expect(await statusOf(send(body, name, theirs, { uploadUrl: url }))).toBe(403);
    expect(await statusOf(send(body, name, { authorization: `Bearer ${deployment.anonKey}` }))).toBe(403);
    await expect(Upload.terminate(url ?? '', { headers: theirs, retryDelays: null })).rejects.toThrow(/404/);
    await send(body, name, headers, { uploadUrl: url });
    expect((await download(ana.client, name))?.equals(body)).toBe(true);
  });

  test('is given up', async () => {
    const headers = await authorize(ana.client);
    const name = `${ana.id}/desisto.bin`;
    const { url } = await send(randomBytes(300_000), name, headers, { pauseAt: 100_000 });
    await Upload.terminate(url ?? '', { headers, retryDelays: null });
    const answer = await fetch(url ?? '', {
      method: 'HEAD',
      headers: { ...headers, 'tus-resumable': '1.0.0' },
    });
    expect(answer.status).toBe(404);
    expect(await download(ana.client, name)).toBeNull();
  });

  test('is refused before its first byte where it is too large or of another type', async () => {
    const operator = createOperator(deployment);
    const bucket = `balde-${randomUUID()}`;
    await operator.storage.createBucket(bucket, {
      public: false,
      fileSizeLimit: 1000,
      allowedMimeTypes: ['image/*'],
    });
    const headers = { authorization: `Bearer ${deployment.serviceRoleKey}` };
    const image = { bucket, contentType: 'image/png' };
    expect(await statusOf(send(randomBytes(1001), 'a.png', headers, image))).toBe(413);
    expect(
      await statusOf(send(randomBytes(10), 'a.txt', headers, { bucket, contentType: 'text/plain' })),
    ).toBe(415);
    await send(randomBytes(1000), 'a.png', headers, image);
    expect(await statusOf(send(randomBytes(1000), 'a.png', headers, image))).toBe(409);
    await send(Buffer.alloc(10), 'a.png', { ...headers, 'x-upsert': 'true' }, image);
    expect(await download(operator, 'a.png', bucket)).toEqual(Buffer.alloc(10));
  });

  test('works with a signed address, without an account', async () => {
    const name = `${ana.id}/assinado.bin`;
    const { data, error } = await ana.client.storage.from('arquivos').createSignedUploadUrl(name);
    const body = randomBytes(300_000);
    const endpoint = `${deployment.url}/storage/v1/upload/resumable/sign`;
    const headers = { 'x-signature': required(data, error).token };
    await send(body, name, headers, { endpoint });
    expect((await download(ana.client, name))?.equals(body)).toBe(true);
    expect(await statusOf(send(body, `${ana.id}/outro.bin`, headers, { endpoint }))).toBe(400);
  });
});

describe('a server that is killed in the middle', () => {
  let data: DataFolder;
  let port: number;
  let server: ServerProcess;
  beforeAll(async () => {
    data = await createDataFolder();
    port = await findFreePort();
    server = await startServerProcess({ dataFolder: data.path, port });
  });
  afterAll(async () => {
    await server.stop();
    await data.remove();
  });

  test('has every byte that it acknowledged when it is back', async () => {
    const keys = await readKeys({ dataFolder: data.path, port });
    const own = { ...keys, url: server.url, dataFolder: data.path };
    const operator = createOperator(own);
    await operator.storage.createBucket('balde');
    const headers = { authorization: `Bearer ${keys.serviceRoleKey}` };
    const body = randomBytes(1_000_000);
    const paused = await send(body, 'morto.bin', headers, { bucket: 'balde', server, pauseAt: 500_000 });
    await server.kill();
    server = await startServerProcess({ dataFolder: data.path, port });
    const head = await fetch(paused.url ?? '', {
      method: 'HEAD',
      headers: { ...headers, 'tus-resumable': '1.0.0' },
    });
    expect(Number(head.headers.get('upload-offset'))).toBeGreaterThanOrEqual(500_000);
    await send(body, 'morto.bin', headers, { bucket: 'balde', server, uploadUrl: paused.url });
    expect((await download(operator, 'morto.bin', 'balde'))?.equals(body)).toBe(true);
    expect(await download(createVisitor(own), 'morto.bin', 'balde')).toBeNull();
  });
});
