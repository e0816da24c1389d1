import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastify, { type FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { endIdleConnections } from '../../../kernel/gateway/end-idle-connections.ts';
import { createKeyring, type Keyring } from '../../../kernel/keyring.ts';
import { createFunctionsService } from '../create-functions-service.ts';
import { type FunctionsDeps, openFunctions } from '../open-functions.ts';

export type LogLine = Readonly<Record<string, unknown>> & {
  readonly level: string;
  readonly message: string;
};

export type TestFunctions = {
  readonly app: FastifyInstance;
  readonly url: string;
  readonly keyring: Keyring;
  readonly metrics: Registry;
  /** What was logged so far. */
  readonly logged: LogLine[];
  authorize(sub: string, expiresIn?: number): Promise<{ readonly authorization: string }>;
  stop(): Promise<void>;
};

const ROOT = fileURLToPath(new URL('../../../../../../', import.meta.url));
export const TEST_PROJECT = fileURLToPath(new URL('project', import.meta.url));
/** What the server's own environment holds; functions may see only what the project's `config.toml` lists. */
const ENVIRONMENT = {
  JWT_SECRET: 'never for functions',
  PATH: '/bin',
  STRIPE_SECRET_KEY: 'sk_test_um_segredo',
};

/** A person whose account is closed, and whose tokens have not expired. */
export const CLOSED_ACCOUNT = 'gone';

/** The service with the functions of a project, on a port of its own. */
export async function startFunctions(
  deps: Partial<FunctionsDeps> = {},
  project = TEST_PROJECT,
): Promise<TestFunctions> {
  const keyring = await createKeyring({ secrets: ['a secret that only the tests of functions use'] });
  const app = fastify();
  endIdleConnections(app);
  const metrics = new Registry();
  const logged: LogLine[] = [];
  const write = (level: string) => (fields: object, message: string) =>
    void logged.push({ level, message, ...fields });
  const functions = openFunctions({
    configPath: join(project, 'config.toml'),
    folder: join(project, 'functions'),
    shared: [],
    packagesFolder: ROOT,
    cacheFolder: join(ROOT, 'node_modules/.cache/node-functions'),
    environment: () => ENVIRONMENT,
    platform: () => ({
      SUPABASE_URL: 'http://127.0.0.1:1',
      SUPABASE_ANON_KEY: keyring.anonKey,
      SUPABASE_SERVICE_ROLE_KEY: keyring.serviceRoleKey,
      SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: keyring.apiKeys.publishable[0] }),
      SUPABASE_SECRET_KEYS: JSON.stringify({ default: keyring.apiKeys.secret[0] }),
      SUPABASE_DB_URL: 'postgresql://nobody@127.0.0.1:1/none',
    }),
    reload: false,
    logger: {
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
    } as FunctionsDeps['logger'],
    metrics,
    preload: [],
    ...deps,
  });
  await app.register(
    createFunctionsService({
      keyring,
      now: () => new Date(),
      functions,
      isAccountOpen: async ({ claims }) => claims['sub'] !== CLOSED_ACCOUNT,
    }),
    { prefix: '/functions/v1' },
  );
  const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/functions/v1`;
  // As the server itself does at a stop: whoever takes longer is cut off.
  const stop = async () => {
    const cutOff = setTimeout(() => app.server.closeAllConnections(), 10_000);
    await app.close();
    clearTimeout(cutOff);
  };
  const authorize = async (sub: string, expiresIn = 3_600) => {
    const claims = { sub, role: 'authenticated', exp: Math.floor(Date.now() / 1000) + expiresIn };
    return { authorization: `Bearer ${await keyring.signAccessToken(claims)}` };
  };
  return { app, url, keyring, metrics, logged, authorize, stop };
}
