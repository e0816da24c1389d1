import { describe, expect, test } from 'vitest';
import { createShareNotification } from './create-share-notification.ts';

const CATEGORY = '5f0c1d6e-3f0a-4a0e-9f4e-0d6a3c1b2a10';
const DUE = {
  id: 'n1',
  category_id: CATEGORY,
  email: 'ana@a.br',
  category_name: 'Leituras',
  description: null,
  owner_name: 'Marta',
  unsubscribe_token: '11111111-2222-4333-8444-555555555555',
};
const DUE_OF_FOLDER = {
  id: 'n2',
  email: 'bia@b.br',
  folder_name: 'Receitas',
  role: 'editor',
  sender_name: 'Marta',
  first_category_id: CATEGORY,
  unsubscribe_token: DUE.unsubscribe_token,
};
const DUE_REQUEST = {
  id: 'n3',
  email: 'marta@m.br',
  category_id: CATEGORY,
  category_name: 'Leituras',
  asker_name: 'Ana',
  asker_email: 'ana@a.br',
  note: '',
  unsubscribe_token: DUE.unsubscribe_token,
};
const DUE_DAILY = {
  id: 'n4',
  email: 'caio@c.br',
  news: {
    places: 1,
    added: 1,
    shown: [{ category: 'Doces', folder: null, added: 1, links: [{ title: 'Bolo', url: 'https://b.br/' }] }],
  },
  unsubscribe_token: DUE.unsubscribe_token,
};

const bearer = (claims: object) => `Bearer h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;
const OWNER = bearer({ role: 'authenticated', sub: 'marta' });
const OPERATOR = 'Bearer service';

type Call = { readonly url: string; readonly headers: Headers; readonly body: Record<string, unknown> };

/** An installation of one due mail. `answers` overrides what an address answers. */
function install(answers: Record<string, () => Response> = {}, mailApi = true) {
  const calls: Call[] = [];
  const work: Promise<unknown>[] = [];
  let isDue = true;
  let isFolderDue = true;
  let isRequestDue = true;
  let isDailyDue = true;
  const usual: Record<string, () => Response> = {
    queue_share_notifications: () => Response.json(2),
    claim_share_notifications: () => {
      const rows = isDue ? [DUE] : [];
      isDue = false;
      return Response.json(rows);
    },
    claim_folder_notifications: () => {
      const rows = isFolderDue ? [DUE_OF_FOLDER] : [];
      isFolderDue = false;
      return Response.json(rows);
    },
    claim_access_request_mails: () => {
      const rows = isRequestDue ? [DUE_REQUEST] : [];
      isRequestDue = false;
      return Response.json(rows);
    },
    claim_daily_mails: () => {
      const rows = isDailyDue ? [DUE_DAILY] : [];
      isDailyDue = false;
      return Response.json(rows);
    },
    begin_daily_mail: () => Response.json(true),
    finish_daily_mail: () => Response.json(true),
    begin_access_request_mail: () => Response.json(true),
    finish_access_request_mail: () => Response.json(true),
    begin_share_notification: () => Response.json(true),
    finish_share_notification: () => Response.json(true),
    emails: () => Response.json({ id: 'm1' }),
  };
  const fake: typeof fetch = async (input, init) => {
    const url = String(input);
    const name = url.slice(url.lastIndexOf('/') + 1);
    calls.push({ url, headers: new Headers(init?.headers), body: JSON.parse(String(init?.body)) });
    return (answers[name] ?? usual[name] ?? (() => new Response(null, { status: 500 })))();
  };
  const handle = createShareNotification({
    fetch: fake,
    supabaseUrl: 'https://p.supabase.test',
    anonKey: 'anon',
    serviceRoleKey: 'service',
    operatorKeys: ['service'],
    siteUrl: 'https://linkoteca.test',
    mailApi: mailApi
      ? { url: 'https://api.mail.test/emails', key: 'k', from: 'Linkoteca <x@linkoteca.test>' }
      : undefined,
    waitUntil: (promise) => work.push(promise),
  });
  const ask = async (body: unknown, authorization: string | null = OWNER, method = 'POST') => {
    const response = await handle(
      new Request('https://p.supabase.test/functions/v1/share-notification', {
        method,
        headers: authorization === null ? {} : { authorization },
        ...(method === 'POST' ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
      }),
    );
    await Promise.all(work);
    return { status: response.status, body: await response.json() };
  };
  const called = (name: string) => calls.filter(({ url }) => url.endsWith(`/${name}`));
  return { ask, called, calls };
}

test('queues as the caller, and believes nothing of the body but category and addresses', async () => {
  const { ask, called } = install({}, false);
  const lies = { categoryName: 'Banco', ownerName: 'Gerente', description: 'Pague aqui', sender_id: 'x' };
  expect(await ask({ categoryId: CATEGORY, emails: ['ana@a.br', 'bia@b.br'], ...lies })).toEqual({
    status: 200,
    body: { queued: 2 },
  });
  const [call] = called('queue_share_notifications');
  expect(call?.body).toEqual({ category_id: CATEGORY, emails: ['ana@a.br', 'bia@b.br'] });
  expect([call?.headers.get('authorization'), call?.headers.get('apikey')]).toEqual([OWNER, 'anon']);
  expect(called('claim_share_notifications')).toEqual([]);
});

describe('with a mail API', () => {
  test('sends what is due of that category, each under a key of its own', async () => {
    const { ask, called } = install();
    await ask({ categoryId: CATEGORY, emails: ['ana@a.br'] });
    expect(called('claim_share_notifications')[0]?.body).toEqual({ max: 10, for_category: CATEGORY });
    expect(called('claim_share_notifications')[0]?.headers.get('authorization')).toBe('Bearer service');
    expect(called('claim_folder_notifications')).toEqual([]);
    expect(called('emails')).toHaveLength(1);
    const [mail] = called('emails');
    expect(mail?.headers.get('idempotency-key')).toBe('share-notification/n1');
    expect(mail?.body).toMatchObject({
      from: 'Linkoteca <x@linkoteca.test>',
      to: ['ana@a.br'],
      subject: 'Marta compartilhou “Leituras” com você',
      headers: {
        'List-Unsubscribe': `<https://p.supabase.test/functions/v1/share-unsubscribe?token=${DUE.unsubscribe_token}>`,
      },
    });
    expect(called('finish_share_notification')[0]?.body).toEqual({ id: 'n1', outcome: 'sent' });
  });

  test.each([
    [() => new Response(null, { status: 409 }), 'sent'],
    [() => new Response(null, { status: 422 }), 'refused'],
    [() => new Response(null, { status: 429 }), 'retry'],
    [() => new Response(null, { status: 401 }), 'retry'],
    [() => new Response(null, { status: 503 }), 'retry'],
    [
      () => {
        throw new TypeError('fetch failed');
      },
      'retry',
    ],
  ])('what the API says (%s) is recorded as %s', async (emails, outcome) => {
    const { ask, called } = install({ emails });
    expect((await ask({ categoryId: CATEGORY, emails: ['ana@a.br'] })).status).toBe(200);
    expect(called('finish_share_notification')[0]?.body).toEqual({ id: 'n1', outcome });
  });

  test('what was taken back meanwhile is not sent', async () => {
    const { ask, called } = install({ begin_share_notification: () => Response.json(false) });
    await ask({ categoryId: CATEGORY, emails: ['ana@a.br'] });
    expect([called('emails'), called('finish_share_notification')]).toEqual([[], []]);
  });

  test('the operator’s schedule sends what is due of every category, of folders, to owners who are asked, and daily', async () => {
    const { ask, called } = install();
    expect(await ask({}, OPERATOR)).toEqual({ status: 200, body: { sent: 4 } });
    expect(called('claim_share_notifications')[0]?.body).toEqual({ max: 10, for_category: null });
    expect(called('claim_folder_notifications')[0]?.body).toEqual({ max: 10 });
    expect(called('claim_folder_notifications')[0]?.headers.get('authorization')).toBe('Bearer service');
    const mail = called('emails')[1];
    expect(mail?.headers.get('idempotency-key')).toBe('share-notification/n2');
    expect(mail?.body).toMatchObject({
      to: ['bia@b.br'],
      subject: 'Marta compartilhou a pasta “Receitas” com você',
    });
    expect(called('finish_share_notification')[1]?.body).toEqual({ id: 'n2', outcome: 'sent' });
    expect(called('emails')[2]?.body).toMatchObject({
      to: ['marta@m.br'],
      subject: 'Ana pede acesso a “Leituras”',
    });
    expect(called('finish_access_request_mail')[0]?.body).toEqual({ id: 'n3', outcome: 'sent' });
    expect(called('emails')[3]?.body).toMatchObject({ to: ['caio@c.br'], subject: '1 link novo em “Doces”' });
    expect(called('emails')[3]?.headers.get('idempotency-key')).toBe('share-notification/n4');
    expect(called('finish_daily_mail')[0]?.body).toEqual({ id: 'n4', outcome: 'sent' });
    expect(called('finish_share_notification')).toHaveLength(2);
    expect(called('queue_share_notifications')).toEqual([]);
  });
});

describe('is refused without a word to the database', () => {
  test.each([
    ['a visitor', { categoryId: CATEGORY, emails: [] }, bearer({ role: 'anon' }), 401],
    ['nobody', { categoryId: CATEGORY, emails: [] }, null, 401],
    ['no JSON', 'categoryId=1', OWNER, 400],
    ['null', 'null', OWNER, 400],
    ['a list', [], OWNER, 400],
    ['no addresses', { categoryId: CATEGORY }, OWNER, 400],
    ['addresses that are none', { categoryId: CATEGORY, emails: [{ to: 'x' }] }, OWNER, 400],
    ['an id that is none', { categoryId: `${CATEGORY}' or 1=1`, emails: ['a@a.br'] }, OWNER, 400],
    ['a megabyte', { categoryId: CATEGORY, emails: ['a'.repeat(1_000_000)] }, OWNER, 400],
  ])('%s', async (_what, body, authorization, status) => {
    const { ask, calls } = install();
    const answer = await ask(body, authorization);
    expect(answer).toEqual({ status, body: { error: expect.stringMatching(/\S/) } });
    expect(calls).toEqual([]);
  });

  test('another method', async () => {
    expect((await install().ask(undefined, OWNER, 'GET')).status).toBe(405);
  });
});

describe('the database’s refusal', () => {
  test.each([
    [404, { code: 'PT404', message: 'Categoria não encontrada' }, 404, 'Categoria não encontrada'],
    [400, { code: '22P05', message: 'unsupported Unicode escape sequence' }, 400, 'O pedido está malformado'],
    [401, { code: 'PGRST303', message: 'JWT expired' }, 401, /autenticado/],
    [500, { code: 'XX000', message: 'secret detail' }, 503, 'Não foi possível enviar os avisos agora'],
  ])('%i %j', async (given, refusal, status, error) => {
    const { ask, called } = install({
      queue_share_notifications: () => Response.json(refusal, { status: given }),
    });
    const answer = await ask({ categoryId: CATEGORY, emails: ['ana@a.br'] });
    expect(answer).toEqual({ status, body: { error: expect.stringMatching(error) } });
    expect(called('claim_share_notifications')).toEqual([]);
  });
});
