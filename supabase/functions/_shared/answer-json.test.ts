import { expect, test } from 'vitest';
import { withCors } from './answer-json.ts';

const handle = withCors(async () => Response.json({ a: 1 }, { status: 401 }));
const ORIGIN = 'https://app.exemplo.com';

test('a preflight is answered without calling the function', async () => {
  const response = await handle(
    new Request('https://x.functions/', {
      method: 'OPTIONS',
      headers: { origin: ORIGIN, 'access-control-request-headers': 'authorization,apikey,content-type' },
    }),
  );
  expect(response.status).toBe(204);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'access-control-allow-origin': ORIGIN,
    'access-control-allow-credentials': 'true',
    'access-control-allow-headers': 'authorization,apikey,content-type',
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-max-age': '3600',
    vary: 'origin',
  });
});

test('refusals can be read from the page that asked', async () => {
  const response = await handle(
    new Request('https://x.functions/', { method: 'POST', headers: { origin: ORIGIN } }),
  );
  expect([response.status, await response.json()]).toEqual([401, { a: 1 }]);
  expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
});
