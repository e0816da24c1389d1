import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { authStorageKey } from './auth-storage-key.ts';
import { createAuthClient } from './create-auth-client.ts';

const config = { supabaseUrl: 'http://linkoteca.test', supabaseAnonKey: 'anon' } as Parameters<
  typeof createAuthClient
>[0];
const START = new Date('2026-01-01T12:00:00Z');

let answers: (() => Response)[] = [];
let askedAfterMs: number[] = [];
let client: ReturnType<typeof createAuthClient>;

const unavailable = (status: number) => () => Response.json({ message: 'away' }, { status });
const renewed = () => Response.json(session(3600, 'renewed'));

function session(expiresIn: number, name: string) {
  return {
    access_token: `e30.${btoa(JSON.stringify({ sub: name }))}.x`,
    refresh_token: name,
    token_type: 'bearer',
    expires_in: expiresIn,
    expires_at: Math.floor(Date.now() / 1000) + expiresIn,
    user: { id: 'person' },
  };
}

/** A browser that comes back with a saved sign-in which expires in so many seconds. */
function comeBack(expiresIn: number) {
  localStorage.setItem(authStorageKey(config.supabaseUrl), JSON.stringify(session(expiresIn, 'saved')));
  client = createAuthClient(config, async (input) => {
    if (!String(input).includes('grant_type=refresh_token')) return Response.json({}, { status: 404 });
    askedAfterMs.push(Date.now() - START.getTime());
    return (answers.shift() ?? renewed)();
  });
  return client.initialize();
}

beforeEach(() => {
  vi.useFakeTimers({ now: START });
  answers = [];
  askedAfterMs = [];
});

afterEach(async () => {
  await client.stopAutoRefresh();
  localStorage.clear();
  vi.useRealTimers();
});

test('a token is looked at every 30 seconds, and renewed while 90 are left', async () => {
  await comeBack(215);
  await vi.advanceTimersByTimeAsync(119_000);
  expect(askedAfterMs, 'two minutes and more were left at each look').toEqual([]);
  await vi.advanceTimersByTimeAsync(1500);
  expect(askedAfterMs).toEqual([120_000]);
  expect((await client.getSession()).data.session?.refresh_token).toBe('renewed');
});

test.each([502, 503, 504])(
  'a gateway that answers %s is asked again, each time after twice as long',
  async (status) => {
    answers = [unavailable(status), unavailable(status), unavailable(status), renewed];
    void comeBack(60);
    await vi.advanceTimersByTimeAsync(5000);
    const pauses = askedAfterMs.slice(1).map((at, index) => at - (askedAfterMs[index] ?? 0));
    expect(pauses).toEqual([200, 400, 800]);
    expect((await client.getSession()).data.session?.refresh_token).toBe('renewed');
  },
);

test('a refusal is not asked again', async () => {
  answers = [() => Response.json({ error_code: 'refresh_token_not_found' }, { status: 400 })];
  void comeBack(60);
  await vi.advanceTimersByTimeAsync(5000);
  expect(askedAfterMs).toHaveLength(1);
});

test('a gateway that stays away is given up within 30 seconds, and the sign-in is kept for the next look', async () => {
  answers = Array.from({ length: 40 }, () => unavailable(503));
  void comeBack(60);
  await vi.advanceTimersByTimeAsync(29_900);
  const tries = askedAfterMs.length;
  expect(tries).toBeGreaterThan(4);
  expect(tries).toBeLessThan(12);
  expect(localStorage.getItem(authStorageKey(config.supabaseUrl))).toContain('saved');
});
