import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { BlobMissingError } from './blob-store.ts';
import { createS3Store } from './create-s3-store.ts';
import { describeBlobStore } from './test-support/describe-blob-store.ts';
import { startS3Server } from './test-support/start-s3-server.ts';

const ACCOUNT = { accessKeyId: 'AKIDTEST', secretAccessKey: 'segredo/com+sinais', region: 'sa-east-1' };
const server = await startS3Server('meus-arquivos', ACCOUNT);
const spoolFolder = await mkdtemp(join(tmpdir(), 'linkoteca-spool-'));
const options = { ...ACCOUNT, endpoint: server.endpoint, bucket: 'meus-arquivos', spoolFolder };
const store = createS3Store(options);
afterAll(async () => {
  await server.stop();
  await rm(spoolFolder, { recursive: true });
});

const countRemains = async () => server.objects.size + (await readdir(spoolFolder)).length;
describeBlobStore('an object storage', () => ({ store, countRemains }));

describe('the object storage', () => {
  it('is told apart from a missing file when it refuses: nothing is taken for lost', async () => {
    const key = `fotos/${randomUUID()}`;
    await store.write(key, Readable.from(['x']), { maxBytes: 9 });
    const refused = [
      [{ secretAccessKey: 'outro' }, 'object storage answered 403 '],
      [{ bucket: 'de-outros' }, 'object storage answered 40'],
      [{ endpoint: 'http://127.0.0.1:9' }, 'fetch failed'],
    ] as const;
    for (const [wrong, words] of refused) {
      const failure = await createS3Store({ ...options, ...wrong })
        .read(key)
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Error);
      expect(failure).not.toBeInstanceOf(BlobMissingError);
      expect(String(failure)).toContain(words);
      expect(String(failure)).not.toContain('segredo');
    }
  });

  it('keeps to its own prefix, and leaves no file waiting on this machine', async () => {
    for (const key of server.objects.keys()) expect(key.startsWith('linkoteca/')).toBe(true);
    expect(await readdir(spoolFolder)).toEqual([]);
    const old = join(spoolFolder, randomUUID());
    await writeFile(old, 'half');
    await utimes(old, new Date(), new Date(Date.now() - 90_000_000));
    await writeFile(join(spoolFolder, 'novo'), 'half');
    await store.removeUnfinished(new Date(Date.now() - 86_400_000));
    expect(await readdir(spoolFolder)).toEqual(['novo']);
  });
});
