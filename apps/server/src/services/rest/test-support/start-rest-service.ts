import { readFileSync } from 'node:fs';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify';
import { createDatabase } from '../../../kernel/database.ts';
import { exchangeApiKeys } from '../../../kernel/gateway/exchange-api-keys.ts';
import { createKeyring, type Keyring } from '../../../kernel/keyring.ts';
import type { RestConfig, RestSources } from '../../../kernel/settings.ts';
import { createRestService } from '../create-rest-service.ts';

const WORKSHOP = readFileSync(new URL('./workshop.sql', import.meta.url), 'utf8');
const WORKSHOP_ROWS = readFileSync(new URL('./workshop-rows.sql', import.meta.url), 'utf8');
const SECRET = 'a secret for tests that is long enough';

export type RestAnswer = {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The body as JSON; undefined when there is none. */
  readonly json: unknown;
};

export type RestBench = {
  readonly app: FastifyInstance;
  readonly keyring: Keyring;
  readonly database: ThrowawayDatabase;
  /** Sends a request below `/rest/v1`, as an anonymous visitor unless the headers say otherwise. */
  ask(method: string, path: string, options?: AskOptions): Promise<RestAnswer>;
  /** An access token for the claims, valid for an hour. */
  tokenFor(claims: Readonly<Record<string, unknown>>): Promise<string>;
  /** Brings the workshop's rows back to how they were. */
  reset(): Promise<void>;
  stop(): Promise<void>;
};

export type AskOptions = {
  readonly headers?: Readonly<Record<string, string>>;
  /** A string or Buffer is sent as it is, anything else as JSON. */
  readonly body?: unknown;
};

/**
 * The table API over a database of its own, with the schema `workshop` in front of `public`.
 * @param more statements that run before it starts.
 */
export async function startRestService(more = ''): Promise<RestBench> {
  const database = await createThrowawayDatabase();
  await database.admin.query(WORKSHOP);
  await database.admin.query(WORKSHOP_ROWS);
  await database.admin.query(more);
  const bench = await openRestService(database, {});
  return {
    ...bench,
    stop: async () => {
      await bench.stop();
      await database.drop();
    },
  };
}

/** One more table API, with settings of its own, over a database that another one uses already. */
export async function openRestService(
  database: ThrowawayDatabase,
  settings: RestConfig,
  connection = database.authenticator,
  sources: Partial<RestSources> = {},
): Promise<RestBench> {
  const db = createDatabase({ ...connection, max: 4 });
  db.pool.on('error', () => undefined);
  const keyring = await createKeyring({ secrets: [SECRET] });
  const app = Fastify({ logger: false, bodyLimit: 1024 * 1024 });
  exchangeApiKeys(app, keyring);
  const service = createRestService({
    db,
    keyring,
    sources: {
      file: {},
      variables: { schemas: ['workshop', 'public'], ...settings },
      readsDatabase: true,
      ignored: [],
      ...sources,
    },
    now: () => new Date(),
    logger: app.log,
  });
  await app.register(service, { prefix: '/rest/v1' });
  await app.ready();
  return {
    app,
    keyring,
    database,
    ask: (method, path, options) => ask(app, method, path, options),
    tokenFor: (claims) =>
      keyring.signAccessToken({
        exp: Math.floor(Date.now() / 1000) + 3600,
        role: 'authenticated',
        ...claims,
      }),
    reset: async () => {
      await database.admin.query(WORKSHOP_ROWS);
    },
    stop: async () => {
      await app.close();
      await db.pool.end();
    },
  };
}

async function ask(
  app: FastifyInstance,
  method: string,
  path: string,
  { headers = {}, body }: AskOptions = {},
): Promise<RestAnswer> {
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  const response = await app.inject({
    method: method as NonNullable<InjectOptions['method']>,
    url: `/rest/v1${path}`,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { payload: isRaw ? body : JSON.stringify(body) }),
  });
  const { statusCode, statusMessage, payload } = response;
  const isJson = /^[^;]*json/.test(String(response.headers['content-type'] ?? ''));
  return {
    status: statusCode,
    statusText: statusMessage,
    headers: response.headers,
    text: payload,
    json: isJson && payload !== '' ? JSON.parse(payload) : undefined,
  };
}
