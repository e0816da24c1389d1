import { expect, test } from 'vitest';
import { createDatabase } from './database.ts';

const INSTALLATION = {
  origin: 'https://a.example',
  servicesUrl: 'https://a.example',
  anonKey: 'anon',
  clientId: null,
};

/** A service that takes one token, and what it was sent. */
function serve(good: string, refusal: { status: number; body: object }) {
  const sent: (string | null)[] = [];
  const request: typeof fetch = async (_input, init) => {
    const token = new Headers(init?.headers).get('authorization');
    sent.push(token);
    return token === `Bearer ${good}`
      ? Response.json([])
      : Response.json(refusal.body, { status: refusal.status });
  };
  return { sent, request };
}

test.each([
  { status: 401, body: { code: 'PGRST301' } },
  { status: 403, body: { code: '42501' } },
])('a token that is refused is renewed once, and asked with once: %j', async (refusal) => {
  const { sent, request } = serve('novo', refusal);
  const database = createDatabase(INSTALLATION, async (isStale) => (isStale ? 'novo' : 'velho'), request);
  expect((await database.from('links').select('id')).data).toEqual([]);
  expect(sent).toEqual(['Bearer velho', 'Bearer novo']);
});

test.each([null, 'velho'])(
  'one that cannot be renewed (%j) is asked with no second time',
  async (renewed) => {
    const { sent, request } = serve('novo', { status: 401, body: {} });
    const database = createDatabase(INSTALLATION, async (isStale) => (isStale ? renewed : 'velho'), request);
    expect((await database.from('links').select('id')).status).toBe(401);
    expect(sent).toEqual(['Bearer velho']);
  },
);

test('other refusals are no matter of the token', async () => {
  const { sent, request } = serve('novo', { status: 400, body: { code: '23514' } });
  const database = createDatabase(INSTALLATION, async (isStale) => (isStale ? 'novo' : 'velho'), request);
  expect((await database.from('links').select('id')).status).toBe(400);
  expect(sent).toEqual(['Bearer velho']);
});
