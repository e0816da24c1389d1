import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Connection, readConnection, type Session, writeConnection } from './session-store.ts';
import { disconnect, openDatabase } from './tokens.ts';

const ORIGIN = 'https://a.example';
const ISSUER = `${ORIGIN}/auth/v1`;
const OAUTH: Session = {
  kind: 'oauth',
  userId: 'ana',
  clientId: 'b1f1c8ce',
  accessToken: 'velho',
  refreshToken: 'primeiro',
};

/** The extension's storage, in memory. */
function createStorage() {
  const items = new Map<string, unknown>();
  return {
    get: async (key: string) => (items.has(key) ? { [key]: structuredClone(items.get(key)) } : {}),
    set: async (more: object) => {
      for (const [key, item] of Object.entries(more)) items.set(key, structuredClone(item));
    },
    remove: async (key: string) => void items.delete(key),
  };
}

type Service = {
  /** What the tables say to a token. */
  readonly tables: (token: string, path: string) => Response;
  /** What becomes of a refresh token. */
  readonly renew?: (token: string) => Response;
};

/** An installation, and the refresh tokens that it was given. */
function serve({ tables, renew = () => Response.json({}, { status: 500 }) }: Service) {
  const renewed: string[] = [];
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const { pathname } = new URL(String(input));
    if (pathname.includes('/.well-known/'))
      return Response.json({ issuer: ISSUER, token_endpoint: `${ISSUER}/oauth/token` });
    if (pathname === '/auth/v1/oauth/token') {
      const token = new URLSearchParams(String(init?.body)).get('refresh_token') ?? '';
      renewed.push(token);
      return renew(token);
    }
    const authorization = new Headers(init?.headers).get('authorization') ?? '';
    return tables(authorization.replace('Bearer ', ''), pathname);
  });
  return renewed;
}

async function connect(session: Session): Promise<Connection> {
  const installation = { origin: ORIGIN, servicesUrl: ORIGIN, anonKey: 'anon', clientId: null };
  const connection: Connection = { installation, session, hasEnded: false };
  await writeConnection(connection);
  return connection;
}

const accept = (good: string) => (token: string) =>
  token === good ? Response.json([]) : Response.json({ code: 'PGRST301' }, { status: 401 });
const tokens = (accessToken: string, refreshToken: string) =>
  Response.json({ access_token: accessToken, refresh_token: refreshToken, token_type: 'bearer' });
const read = (connection: Connection) => openDatabase(connection).from('links').select('id');

beforeEach(() => {
  vi.stubGlobal('chrome', { storage: { local: createStorage() } });
  return () => vi.unstubAllGlobals();
});

describe('an access token that is over', () => {
  test('is renewed once for all who ask at a time, and the new ones are kept', async () => {
    const renewed = serve({ tables: accept('novo'), renew: () => tokens('novo', 'segundo') });
    const connection = await connect(OAUTH);
    const answers = await Promise.all([read(connection), read(connection), read(connection)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(renewed).toEqual(['primeiro']);
    expect(await readConnection()).toMatchObject({
      session: { accessToken: 'novo', refreshToken: 'segundo' },
      hasEnded: false,
    });
  });

  test('ends the connection where it is renewed no more, and is not asked for again', async () => {
    const refusal = Response.json({ error: 'invalid_grant' }, { status: 400 });
    const renewed = serve({ tables: accept('nenhum'), renew: () => refusal.clone() });
    const connection = await connect(OAUTH);
    expect((await read(connection)).status).toBe(401);
    expect(await readConnection()).toMatchObject({ hasEnded: true });
    await read(connection);
    expect(renewed).toEqual(['primeiro']);
  });

  test.each([500, 503, 429])('says nothing of the connection where the server answers %i', async (status) => {
    serve({ tables: accept('nenhum'), renew: () => Response.json({ error: 'server_error' }, { status }) });
    const connection = await connect(OAUTH);
    expect((await read(connection)).status).toBe(0);
    expect(await readConnection()).toMatchObject({ hasEnded: false });
  });

  test('is not replaced by the token of whoever signs in meanwhile', async () => {
    const asked: string[] = [];
    const renewed = serve({
      tables: (token) => {
        asked.push(token);
        return accept('de maria')(token);
      },
    });
    const database = openDatabase(await connect(OAUTH));
    const maria = await connect({ ...OAUTH, userId: 'maria', accessToken: 'de maria' });
    expect((await database.from('links').select('id')).status).toBe(401);
    expect(asked).toEqual(['velho']);
    expect(renewed).toEqual([]);
    expect(await readConnection()).toEqual(maria);
  });

  test.each([
    ['signs out', null],
    ['is followed by another', { ...OAUTH, userId: 'maria', accessToken: 'de maria' }],
  ])('is not kept where the person %s while it is renewed', async (_name, session) => {
    const connection = await connect(OAUTH);
    const next = session && { ...connection, session };
    serve({
      tables: accept('novo'),
      renew: () => {
        void writeConnection(next);
        return tokens('novo', 'segundo');
      },
    });
    expect((await read(connection)).status).toBe(401);
    expect(await readConnection()).toEqual(next);
  });
});

describe('a personal token', () => {
  const KEY: Session = { kind: 'token', userId: 'ana', accessToken: 'lk_pat_x' };
  const forbid = () => Response.json({ code: '42501' }, { status: 403 });

  test('that may not do something is good all the same', async () => {
    serve({
      tables: (_token, path) =>
        path.endsWith('/library_counts') ? Response.json([{ user_id: 'ana' }]) : forbid(),
    });
    const connection = await connect(KEY);
    expect((await read(connection)).status).toBe(403);
    expect(await readConnection()).toMatchObject({ hasEnded: false });
  });

  test('that opens no library any more ends the connection', async () => {
    serve({
      tables: (_token, path) => (path.endsWith('/library_counts') ? Response.json([]) : forbid()),
    });
    const connection = await connect(KEY);
    expect((await read(connection)).status).toBe(403);
    expect(await readConnection()).toMatchObject({ hasEnded: true });
  });
});

describe('signing out', () => {
  test('ends the session at the installation, too, by its refresh token', async () => {
    const revoked: (readonly (string | null)[])[] = [];
    vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
      const { pathname } = new URL(String(input));
      if (pathname.includes('/.well-known/'))
        return Response.json({ issuer: ISSUER, revocation_endpoint: `${ISSUER}/oauth/revoke` });
      const form = new URLSearchParams(String(init?.body));
      if (pathname === '/auth/v1/oauth/revoke') revoked.push([form.get('client_id'), form.get('token')]);
      return new Response(null);
    });
    await disconnect(await connect(OAUTH));
    expect(await readConnection()).toBeNull();
    expect(revoked).toEqual([['b1f1c8ce', 'primeiro']]);
  });

  test('without a network is one here all the same', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch');
    });
    await disconnect(await connect(OAUTH));
    expect(await readConnection()).toBeNull();
  });

  test('with a personal token asks nobody: it is good for other programs, too', async () => {
    const asked: unknown[] = [];
    vi.stubGlobal('fetch', async (input: unknown) => {
      asked.push(input);
      return new Response(null);
    });
    await disconnect(await connect({ kind: 'token', userId: 'ana', accessToken: 'lk_pat_x' }));
    expect([await readConnection(), asked]).toEqual([null, []]);
  });
});
