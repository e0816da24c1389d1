import { describe, expect, test } from 'vitest';
import { openStripe } from '../_shared/open-stripe.ts';
import { createAccountUpkeep } from './create-account-upkeep.ts';

const bearer = (claims: object) => `Bearer h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;
const OPERATOR = 'Bearer service';

/** An installation whose database answers each call with the next of these values, and then as if nothing were due. */
function install(
  values: Record<string, unknown[]> = {},
  {
    provider = () => Response.json({ deleted: true }),
    storage = (prefixes: unknown[]) => Response.json(prefixes),
    clock = (): number => 0,
    mailApi = false,
  } = {},
) {
  const calls: string[] = [];
  const idle: Record<string, unknown> = {
    begin_account_purges: [],
    find_charged_closed_accounts: [],
    warn_inactive_accounts: 0,
    suspend_inactive_accounts: 0,
    close_abandoned_accounts: 0,
    list_files_to_purge: [],
    list_leftover_covers: [],
    purge_account: true,
    claim_account_mails: [],
    begin_account_mail: true,
  };
  const fake: typeof fetch = async (input, init) => {
    const { hostname, pathname } = new URL(String(input));
    const name = pathname.slice(pathname.lastIndexOf('/') + 1);
    if (hostname === 'api.mail.test') {
      calls.push(`mail to ${JSON.parse(String(init?.body)).to}`);
      return Response.json({});
    }
    if (hostname === 'api.stripe.com') {
      calls.push(`${init?.method} ${name}`);
      return provider();
    }
    const { user_id: user, prefixes, days } = JSON.parse(String(init?.body));
    if (pathname.startsWith('/storage/v1/')) {
      calls.push(`${init?.method} files of ${name}: ${prefixes}`);
      return storage(prefixes);
    }
    calls.push([name, user, days].filter((part) => part !== undefined).join(' '));
    return Response.json(values[name]?.shift() ?? idle[name] ?? null);
  };
  const handle = createAccountUpkeep({
    access: { fetch: fake, url: 'https://p.supabase.test', key: 'service' },
    operatorKeys: ['service'],
    siteUrl: 'https://linkoteca.test',
    mailApi: mailApi ? { url: 'https://api.mail.test/emails', key: 'k', from: 'L <x@l.test>' } : undefined,
    openStripe: () => openStripe({ fetch: fake, secretKey: 'sk_test_x', retries: 0 }),
    anonymousDays: 30,
    now: clock,
    budgetMs: 1_000,
  });
  const ask = async (authorization = OPERATOR, method = 'POST') => {
    const response = await handle(
      new Request('https://p.supabase.test/functions/v1/account-upkeep', {
        method,
        headers: { authorization },
      }),
    );
    return { status: response.status, body: await response.json() };
  };
  return { ask, calls };
}
const due = (id: string, customer: string | null = null) => ({ user_id: id, stripe_customer_id: customer });
const broken = () => Response.json({ error: { type: 'api_error' } }, { status: 500 });

describe('a round', () => {
  test('with nothing due asks once for each thing', async () => {
    const { ask, calls } = install();
    expect(await ask()).toEqual({
      status: 200,
      body: { warned: 0, suspended: 0, abandoned: 0, purged: 0, failed: 0, mailed: 0, complete: true },
    });
    expect(calls).toHaveLength(6);
  });

  test('closes accounts without an address after the days that the operator says', async () => {
    const { ask, calls } = install({ close_abandoned_accounts: [1_000, 7] });
    expect((await ask()).body).toMatchObject({ abandoned: 1_007, complete: true });
    expect(calls.filter((call) => call.startsWith('close_abandoned'))).toEqual(
      Array.from({ length: 3 }, () => 'close_abandoned_accounts 30'),
    );
  });

  test('goes on, batch after batch, until nothing is left', async () => {
    const { ask } = install({
      warn_inactive_accounts: [5_000, 5_000, 12],
      suspend_inactive_accounts: [1_000, 3],
    });
    expect((await ask()).body).toMatchObject({ warned: 10_012, suspended: 1_003, complete: true });
  });

  test('deletes the provider’s customer first, then the account, part by part', async () => {
    const { ask, calls } = install({
      begin_account_purges: [[due('ana', 'cus_1'), due('bia')]],
      purge_account: [false, false, true],
    });
    expect((await ask()).body).toMatchObject({ purged: 2, failed: 0, complete: true });
    expect(calls.slice(0, 8)).toEqual([
      'begin_account_purges',
      'DELETE cus_1',
      'list_files_to_purge ana',
      'purge_account ana',
      'purge_account ana',
      'purge_account ana',
      'list_files_to_purge bia',
      'purge_account bia',
    ]);
  });

  test('deletes an account’s files through the storage service, a bucket at a time, before the account', async () => {
    const files = [
      { bucket_id: 'arquivos', name: 'ana/a' },
      { bucket_id: 'arquivos', name: 'ana/b' },
      { bucket_id: 'um outro', name: 'c' },
    ];
    const { ask, calls } = install({
      begin_account_purges: [[due('ana')]],
      list_files_to_purge: [files, files.slice(2), []],
    });
    expect((await ask()).body).toMatchObject({ purged: 1, failed: 0 });
    expect(calls.filter((call) => !call.startsWith('list'))).toEqual(
      expect.arrayContaining([
        'DELETE files of arquivos: ana/a,ana/b',
        'DELETE files of um%20outro: c',
        'purge_account ana',
      ]),
    );
  });

  test('deletes the covers that links have left behind, until there are none', async () => {
    const { ask, calls } = install({
      list_leftover_covers: [
        [{ name: 'ana/covers/1' }, { name: 'bia/covers/2' }],
        [{ name: 'ana/covers/3' }],
      ],
    });
    expect((await ask()).body).toMatchObject({ complete: true });
    expect(calls.filter((call) => call.includes('arquivos'))).toEqual([
      'DELETE files of arquivos: ana/covers/1,bia/covers/2',
      'DELETE files of arquivos: ana/covers/3',
    ]);
  });

  test('leaves covers that cannot be deleted to the next round', async () => {
    const { ask, calls } = install(
      { list_leftover_covers: [[{ name: 'ana/covers/1' }], [{ name: 'ana/covers/1' }]] },
      { storage: () => Response.json({}, { status: 500 }) },
    );
    expect((await ask()).status).toBe(200);
    expect(calls.filter((call) => call.includes('arquivos'))).toHaveLength(1);
  });

  test.each([
    ['refuses', () => Response.json({}, { status: 400 })],
    ['deletes nothing', () => Response.json([])],
  ])('keeps an account while the storage service %s, and purges the others', async (_what, storage) => {
    const { ask, calls } = install(
      {
        begin_account_purges: [[due('ana'), due('bia')], [due('ana')]],
        list_files_to_purge: [[{ bucket_id: 'arquivos', name: 'ana/a' }]],
      },
      { storage },
    );
    expect((await ask()).body).toMatchObject({ purged: 1, failed: 1, complete: true });
    expect(calls).not.toContain('purge_account ana');
  });

  test('while the provider is away keeps the account that it knows, purges the others, and ends', async () => {
    const { ask, calls } = install(
      { begin_account_purges: [[due('ana', 'cus_1'), due('bia')], [due('ana', 'cus_1')]] },
      { provider: broken },
    );
    expect((await ask()).body).toMatchObject({ purged: 1, failed: 1, complete: true });
    expect(calls).not.toContain('purge_account ana');
  });

  test('a customer whom the provider has deleted already is no fault', async () => {
    const { ask } = install(
      { begin_account_purges: [[due('ana', 'cus_1')]] },
      {
        provider: () =>
          Response.json(
            { error: { type: 'invalid_request_error', code: 'resource_missing' } },
            { status: 404 },
          ),
      },
    );
    expect((await ask()).body).toMatchObject({ purged: 1, failed: 0 });
  });

  test('ends what a closed account is charged for, or says that it could not', async () => {
    const charged = () => ({ find_charged_closed_accounts: [[{ stripe_customer_id: 'cus_1' }]] });
    const list = () => Response.json({ object: 'list', data: [], has_more: false });
    const { ask, calls } = install(charged(), { provider: list });
    expect((await ask()).body).toMatchObject({ failed: 0 });
    expect(calls).toContain('GET subscriptions');
    expect((await install(charged(), { provider: broken }).ask()).body).toMatchObject({ failed: 1 });
  });

  test('stops when its time is up, and says that there is more', async () => {
    let time = 0;
    const { ask } = install(
      { warn_inactive_accounts: Array.from({ length: 1_000 }, () => 1) },
      {
        clock: () => {
          time += 100;
          return time;
        },
      },
    );
    const { body } = await ask();
    expect(body).toMatchObject({ complete: false });
    expect(body.warned).toBeLessThan(20);
  });

  test('sends the mails where the platform has no mail server of its own', async () => {
    const mail = {
      id: 'm1',
      kind: 'deleted',
      email: 'ana@a.br',
      name: 'Ana',
      deadline: '2027-03-31T12:00:00Z',
    };
    const { ask, calls } = install({ claim_account_mails: [[mail]] }, { mailApi: true });
    expect((await ask()).body).toMatchObject({ mailed: 1 });
    expect(calls).toContain('mail to ana@a.br');
  });
});

test.each([
  ['a person', bearer({ role: 'authenticated', sub: 'ana' }), 'POST', 403],
  ['a visitor', bearer({ role: 'anon' }), 'POST', 403],
  ['nobody', '', 'POST', 403],
  ['another method', OPERATOR, 'GET', 405],
])('%s starts no round', async (_what, authorization, method, status) => {
  const { ask, calls } = install();
  expect((await ask(authorization, method)).status).toBe(status);
  expect(calls).toEqual([]);
});
