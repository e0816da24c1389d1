import { expect, test } from 'vitest';
import { createShareUnsubscribe } from './create-share-unsubscribe.ts';

const TOKEN = '11111111-2222-4333-8444-555555555555';
const HERE = 'https://p.supabase.test/functions/v1/share-unsubscribe';

function install(answered: () => Response = () => Response.json('ana@a.br')) {
  const asked: unknown[] = [];
  const called: string[] = [];
  const fake: typeof fetch = async (url, init) => {
    called.push(String(url).replace(/^.*\//, ''));
    asked.push(JSON.parse(String(init?.body)));
    return answered();
  };
  const handle = createShareUnsubscribe({
    fetch: fake,
    supabaseUrl: 'https://p.supabase.test',
    serviceRoleKey: 'service',
    siteUrl: 'https://linkoteca.test',
  });
  return { asked, called, ask: (url: string, init?: RequestInit) => handle(new Request(url, init)) };
}

test.each([
  ['a form', new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })],
  ['a form in parts', new FormData()],
  ['nothing', undefined],
  ['a wish to go on', JSON.stringify({ stop: false })],
])('a mail program’s button ends the mails, sending %s', async (_what, body) => {
  const { ask, asked } = install();
  const response = await ask(`${HERE}?token=${TOKEN}`, { method: 'POST', ...(body ? { body } : {}) });
  expect(await response.json()).toEqual({ email: 'ana@a.br', stopped: true });
  expect(asked).toEqual([{ token: TOKEN, stop: true }]);
});

test('opening the address changes nothing: it leads to the page', async () => {
  const { ask, asked } = install();
  const response = await ask(`${HERE}?token=${TOKEN}`);
  expect([response.status, response.headers.get('location')]).toEqual([
    303,
    `https://linkoteca.test/unsubscribe?token=${TOKEN}`,
  ]);
  expect(asked).toEqual([]);
  const elsewhere = await ask(`${HERE}?token=${encodeURIComponent('/../..//mal.example?')}`);
  expect(elsewhere.headers.get('location')).toBe(
    'https://linkoteca.test/unsubscribe?token=%2F..%2F..%2F%2Fmal.example%3F',
  );
});

test.each([true, false])('the page says whether mails stop: %s', async (stop) => {
  const { ask, asked } = install();
  const response = await ask(HERE, { method: 'POST', body: JSON.stringify({ token: TOKEN, stop }) });
  expect(await response.json()).toEqual({ email: 'ana@a.br', stopped: stop });
  expect(asked).toEqual([{ token: TOKEN, stop }]);
});

test.each([
  ['a key of nobody', JSON.stringify({ token: TOKEN }), () => Response.json(null), 404],
  ['no key', '{}', undefined, 404],
  ['no JSON', 'token', undefined, 404],
  ['something that is no key', JSON.stringify({ token: `${TOKEN}'` }), undefined, 404],
  ['a database that is away', JSON.stringify({ token: TOKEN }), () => new Response('', { status: 503 }), 503],
])('%s is told so', async (_what, body, answered, status) => {
  const response = await install(answered).ask(HERE, { method: 'POST', body });
  expect([response.status, await response.json()]).toEqual([status, { error: expect.stringMatching(/\S/) }]);
});

test.each([
  ['a mail program’s button', `${HERE}?token=${TOKEN}&mail=daily`, 'List-Unsubscribe=One-Click'],
  ['the page', HERE, JSON.stringify({ token: TOKEN, stop: true, mail: 'daily' })],
])('%s ends the daily mail alone', async (_who, url, body) => {
  const { ask, asked, called } = install();
  const response = await ask(url, { method: 'POST', body });
  expect(await response.json()).toEqual({ email: 'ana@a.br', stopped: true });
  expect([called, asked]).toEqual([['unsubscribe_daily_mail'], [{ token: TOKEN, stop: true }]]);
});

test.each([
  ['', 'unsubscribe_share_mail'],
  ['&mail=outra', 'unsubscribe_share_mail'],
  ['&mail=__proto__', 'unsubscribe_share_mail'],
])('the key with “%s” ends the mails about sharing', async (more, name) => {
  const { ask, called } = install();
  await ask(`${HERE}?token=${TOKEN}${more}`, { method: 'POST' });
  expect(called).toEqual([name]);
});

test('opening the address of a daily mail leads to its page', async () => {
  const { ask, asked } = install();
  const response = await ask(`${HERE}?token=${TOKEN}&mail=daily`);
  expect(response.headers.get('location')).toBe(
    `https://linkoteca.test/unsubscribe?token=${TOKEN}&mail=daily`,
  );
  expect(asked).toEqual([]);
});
