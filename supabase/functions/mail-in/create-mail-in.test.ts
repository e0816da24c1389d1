import { expect, test } from 'vitest';
import {
  basicAuth,
  HOOK_SECRET,
  MAIL_DOMAIN,
  postmarkMessage,
} from '../_shared/test-support/incoming-mails.ts';
import { createMailIn } from './create-mail-in.ts';

const LOCAL = 'a'.repeat(24);

/** The function, over a database that answers as it is told. */
function install({
  mailInUrl = `postmark://${HOOK_SECRET}@${MAIL_DOMAIN}`,
  answered = async (): Promise<Response> => Response.json('saved'),
} = {}) {
  const asked: Record<string, unknown>[] = [];
  const reports: unknown[] = [];
  const warnings: string[] = [];
  const fake: typeof fetch = async (url, init) => {
    expect(String(url)).toBe('https://p.test/rest/v1/rpc/receive_mail');
    asked.push(JSON.parse(String(init?.body)));
    return await answered();
  };
  const handle = createMailIn({
    mailInUrl,
    access: { fetch: fake, url: 'https://p.test', key: 'service' },
    now: () => 0,
    report: (report) => void reports.push(report),
    warn: (reason) => void warnings.push(reason),
  });
  const post = async (message: unknown, headers: Record<string, string> = basicAuth()) => {
    const response = await handle(
      new Request('https://p.test/', { method: 'POST', headers, body: JSON.stringify(message) }),
    );
    return [response.status, await response.json()];
  };
  return { asked, reports, warnings, handle, post };
}

const outcome = (name: string) => [200, { outcomes: [name] }];

test('a message is handed to the database, its links taken out', async () => {
  const { post, asked, reports } = install();
  expect(await post(postmarkMessage())).toEqual(outcome('saved'));
  expect(asked).toEqual([
    {
      local_part: LOCAL,
      message_key: expect.stringMatching(/^[0-9a-f]{64}$/),
      sender: 'ana@exemplo.com.br',
      is_verified: true,
      subject: 'Pão',
      links: [{ url: 'https://pao.com.br/', title: 'Pão', description: null }],
    },
  ]);
  expect(reports).toEqual([{ outcomes: ['saved'] }]);
});

test('a message has one name, however often it is delivered, and another one has another', async () => {
  const { post, asked } = install();
  const nameless = { ...postmarkMessage(), Headers: [] };
  const without = { ...nameless, MessageID: '' };
  await post(postmarkMessage());
  await post({ ...postmarkMessage({ text: 'x' }), MessageID: 'outro' });
  await post(postmarkMessage({ messageId: '<m2@exemplo.com.br>' }));
  for (const message of [nameless, nameless, without, without, { ...without, Subject: 'Outro' }])
    await post(message);
  const keys = asked.map(({ message_key }) => message_key);
  const places = keys.map((key) => keys.indexOf(key));
  expect(places).toEqual([0, 0, 2, 3, 3, 5, 5, 7]);
});

test.each([
  'unknown_sender',
  'unverified_sender',
  'no_link',
  'too_many_mails',
  'repeated',
  'unknown_address',
  'plan_limit_links',
])('what is refused for good is answered, so that it is not sent again: %s', async (name) => {
  expect(await install({ answered: async () => Response.json(name) }).post(postmarkMessage())).toEqual(
    outcome(name),
  );
});

test('what may succeed later is asked for again', async () => {
  const away = install({ answered: async () => await Promise.reject(new TypeError('fetch failed')) });
  expect((await away.post(postmarkMessage()))[0]).toBe(503);
  for (const status of [401, 403, 404, 409, 500, 503]) {
    const failing = install({ answered: async () => Response.json({ code: '57P03' }, { status }) });
    expect((await failing.post(postmarkMessage()))[0]).toBe(503);
    expect(failing.warnings).toEqual([`receive_mail: status ${status}`]);
  }
  const refusing = install({
    answered: async () => Response.json({ code: 'PT400', message: 'x' }, { status: 400 }),
  });
  expect(await refusing.post(postmarkMessage())).toEqual(outcome('unreadable'));
});

test.each([
  '',
  'x@outro.com',
  `@${MAIL_DOMAIN}`,
  `a b@${MAIL_DOMAIN}`,
  `${'a'.repeat(65)}@${MAIL_DOMAIN}`,
  `x@sub.${MAIL_DOMAIN}`,
])('a recipient that is none of ours is not asked for: %j', async (recipient) => {
  const { post, asked } = install();
  expect(await post({ ...postmarkMessage(), OriginalRecipient: recipient })).toEqual(
    outcome('unknown_address'),
  );
  expect(asked).toEqual([]);
});

test('several recipients each get it, each once', async () => {
  const { handle, asked } = install({ mailInUrl: `sendgrid://${HOOK_SECRET}@${MAIL_DOMAIN}` });
  const body = new FormData();
  const to = [`um@${MAIL_DOMAIN}`, `UM@${MAIL_DOMAIN}`, `<dois@${MAIL_DOMAIN}>`, 'x@outro.com'];
  body.append('envelope', JSON.stringify({ to, from: 'ana@exemplo.com.br' }));
  const response = await handle(
    new Request('https://p.test/', { method: 'POST', headers: basicAuth(), body }),
  );
  expect(await response.json()).toEqual({ outcomes: ['saved', 'saved'] });
  expect(asked.map(({ local_part }) => local_part)).toEqual(['um', 'dois']);
});

test('what is not the provider’s is refused, and asks the database nothing', async () => {
  const { post, asked } = install();
  expect((await post(postmarkMessage(), {}))[0]).toBe(401);
  expect((await post(postmarkMessage(), basicAuth('outro')))[0]).toBe(401);
  expect(asked).toEqual([]);
});

test('a mail of more than ten megabytes, or of no kind, is not asked for again', async () => {
  const { post, handle, asked } = install();
  expect(await post(postmarkMessage({ text: 'x'.repeat(10_485_760) }))).toEqual(outcome('too_large'));
  const broken = await handle(
    new Request('https://p.test/', { method: 'POST', headers: basicAuth(), body: '{' }),
  );
  expect([broken.status, await broken.json()]).toEqual(outcome('unreadable'));
  expect(asked).toEqual([]);
});

test('what no database stores does not reach it', async () => {
  const { post, asked } = install();
  await post(
    postmarkMessage({ subject: `\u0000\ud800${'x'.repeat(500)}`, sender: `\u0000${'a'.repeat(300)}@b.br` }),
  );
  const [message] = asked;
  expect(JSON.stringify(message)).not.toMatch(/\\u0000|\\ud800/);
  expect([String(message?.['subject']).length, String(message?.['sender']).length]).toEqual([100, 254]);
});

test('an installation without the setting, or with a wrong one, has no hook', async () => {
  for (const mailInUrl of ['', 'postmark://curto@x']) {
    const { post, asked } = install({ mailInUrl });
    expect((await post(postmarkMessage()))[0]).toBe(404);
    expect(asked).toEqual([]);
  }
});

test('it is posted, and nothing else', async () => {
  const { handle } = install();
  expect((await handle(new Request('https://p.test/'))).status).toBe(405);
});
