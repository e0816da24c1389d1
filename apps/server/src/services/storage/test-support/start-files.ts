import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import type { FastifyBaseLogger } from 'fastify';
import { Registry } from 'prom-client';
import { createLogger } from '../../../kernel/create-logger.ts';
import { createDatabase, type Database } from '../../../kernel/database.ts';
import { createGateway } from '../../../kernel/gateway/create-gateway.ts';
import { createOperatorAccess } from '../../../kernel/gateway/operator-access.ts';
import { createHealth } from '../../../kernel/health/create-health.ts';
import { createKeyring, type Keyring } from '../../../kernel/keyring.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { createFolderStore } from '../blobs/create-folder-store.ts';
import { createStorageService } from '../create-storage-service.ts';
import type { StorageSettings } from '../storage-deps.ts';

const BUCKETS = `
  insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
    ('publico', 'publico', true, null, null),
    ('fotos', 'fotos', false, 1000, '{image/*,application/pdf}');
  create policy of_everybody on storage.objects for all to authenticated
    using (bucket_id in ('publico', 'fotos')) with check (bucket_id in ('publico', 'fotos'))`;

export type Person = { readonly id: string; readonly token: string };

export type FilesBench = {
  readonly db: Database;
  readonly database: ThrowawayDatabase;
  readonly keyring: Keyring;
  readonly blobs: BlobStore;
  readonly port: number;
  /** The service's own clock runs ahead by so many seconds. */
  advanceClock(seconds: number): void;
  createPerson(): Promise<Person>;
  /** A request below `/storage/v1`, with the person's token if there is one. */
  ask(method: string, path: string, options?: AskOptions): Promise<Response>;
  /** How many files lie in the folder, unfinished ones included. */
  countBlobs(): Promise<number>;
  stop(): Promise<void>;
};

export type AskOptions = {
  readonly as?: Person | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyInit;
};

type FilesOptions = Partial<Pick<StorageSettings, 'filesUrl' | 's3Keys' | 's3Enabled'>>;

const SETTINGS = { siteUrl: 'https://links.example.com', trustProxy: false } as const;

/** The storage service behind the real gateway, over a database and a folder of its own. No file is larger than 200,000 bytes. */
export async function startFiles({
  filesUrl,
  s3Keys,
  s3Enabled = true,
}: FilesOptions = {}): Promise<FilesBench> {
  const database = await createThrowawayDatabase();
  await database.admin.query(BUCKETS);
  const db = createDatabase({ ...database.authenticator, max: 4 });
  const keyring = await createKeyring({ secrets: ['a secret for tests that is long enough'] });
  const folder = await mkdtemp(join(tmpdir(), 'linkoteca-files-'));
  const blobs = createFolderStore(join(folder, 'storage'));
  const logger = createLogger('silent');
  let ahead = 0;
  const app = await createGateway({
    logger,
    metrics: new Registry(),
    anonKey: keyring.anonKey,
    settings: { ...SETTINGS, filesUrl, metricsAccess: 'loopback', smtpUrl: undefined },
    operator: createOperatorAccess({ ...SETTINGS, key: keyring.operatorKey }),
    health: createHealth({ probes: db, requiredMigrations: { platform: [], product: [] } }),
    webFolder: join(folder, 'web'),
    mailFolder: join(folder, 'mail'),
  });
  const service = createStorageService({
    db,
    keyring,
    blobs,
    now: () => new Date(Date.now() + ahead * 1000),
    logger: logger as FastifyBaseLogger,
    settings: { fileSizeLimit: 200_000, uploadUrlLifetimeS: 7200, filesUrl, s3Enabled, s3Keys },
  });
  await app.register(service, { prefix: '/storage/v1' });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;

  return {
    db,
    database,
    keyring,
    blobs,
    port,
    advanceClock: (seconds) => {
      ahead = seconds;
    },
    async createPerson() {
      const { id, email } = await createUser(database.admin);
      const iat = Math.floor(Date.now() / 1000);
      const claims = { sub: id, email, role: 'authenticated', iat, exp: iat + 864_000 };
      return { id, token: await keyring.signAccessToken(claims) };
    },
    ask: (method, path, { as, headers = {}, body } = {}) => {
      const token = typeof as === 'string' ? as : as?.token;
      return fetch(`http://127.0.0.1:${port}/storage/v1${path}`, {
        method,
        headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
        ...(body === undefined ? {} : { body, duplex: 'half' }),
      });
    },
    countBlobs: async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).length;
    },
    stop: async () => {
      await app.close();
      await db.pool.end();
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
}
