import { claimsOf } from '@linkoteca/test-kit/claims-of';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY, T0 } from '../functions/_shared/test-support/make-subscription.ts';
import { createCheckSubscription } from '../functions/check-subscription/create-check-subscription.ts';
import { type Billing, openBilling } from './support/open-billing.ts';

let database: ThrowawayDatabase;
let billing: Billing;
let ana: TestUser;
let count = 0;

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  billing = openBilling(database);
  ana = await createUser(database.admin);
  count += 1;
  billing.model.addCustomer(`cus_${count}`);
});

const subscribe = async (user = ana) => {
  await billing.deps.store.claim(user.id, `cus_${count}`);
  billing.model.addSubscription({ id: `sub_${count}`, customer: `cus_${count}`, trialEnd: T0 + DAY });
};
const toToken = (claims: object) => `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;

/** The table API, as far as it is asked: the caller's own row. */
function readTable(user: TestUser): typeof fetch {
  return async (input) => {
    const url = new URL(String(input));
    const columns = url.searchParams.get('select') ?? '';
    const id = url.searchParams.get('user_id')?.replace('eq.', '');
    const { rows } = await queryAs(database, user, `select ${columns} from subscribers where user_id = $1`, [
      id,
    ]);
    return Response.json(rows);
  };
}

async function ask(
  init: {
    readonly method?: string;
    readonly body?: string;
    readonly claims?: object;
    readonly admin?: string;
    readonly table?: typeof fetch;
  } = {},
) {
  const handle = createCheckSubscription({
    sync: billing.deps,
    access: { fetch: init.table ?? readTable(ana), url: 'http://p.test', key: 'anon' },
    adminUserId: init.admin,
  });
  const { method = 'GET', body, claims = claimsOf(ana) } = init;
  const headers = { authorization: `Bearer ${toToken(claims)}` };
  const response = await handle(
    new Request('http://p.test/', { method, headers, ...(body === undefined ? {} : { body }) }),
  );
  return [response.status, await response.json()];
}

/** They have just asked, for as long as the test takes. */
const justAsked = () =>
  database.admin.query(
    `update private.subscription_syncs set asked_at = clock_timestamp() + interval '1 hour'`,
  );

const FREE = {
  subscribed: false,
  plan: 'free',
  status: null,
  currentPeriodEnd: null,
  cancelAtPeriodEnd: false,
  trialEnd: null,
};

describe('a person who asks', () => {
  test('and never bought anything is on the free plan, and the provider is not asked', async () => {
    expect(await ask()).toEqual([200, FREE]);
    expect(billing.model.asked).toEqual([]);
  });

  test('after the webhook missed a purchase has what they paid for', async () => {
    await subscribe();
    const [status, answer] = await ask({ method: 'POST', body: JSON.stringify({ userId: ana.id }) });
    expect([status, answer]).toEqual([
      200,
      {
        subscribed: true,
        plan: 'plus',
        status: 'active',
        currentPeriodEnd: expect.stringMatching(/^2026-01-31T00:00/),
        cancelAtPeriodEnd: false,
        trialEnd: expect.stringMatching(/^2026-01-02T00:00/),
      },
    ]);
    billing.model.update(`sub_${count}`, { status: 'past_due' });
    await database.admin.query(
      `update private.subscription_syncs set asked_at = now() - interval '2 seconds'`,
    );
    expect((await ask())[1]).toMatchObject({ subscribed: false, plan: 'plus', status: 'payment_failed' });
  });

  test('again and again has the provider asked once', async () => {
    await subscribe();
    await ask();
    await justAsked();
    await Promise.all([ask(), ask()]);
    const asked = billing.model.asked.filter((path) => path.startsWith('/v1/customers')).length;
    expect(asked).toBe(1);
    expect((await ask())[1]).toMatchObject({ plan: 'plus' });
  });

  test('while the provider is away is told so, and keeps the plan', async () => {
    await subscribe();
    await ask();
    billing.model.setDown(true);
    await database.admin.query(
      `update private.subscription_syncs set asked_at = now() - interval '2 seconds'`,
    );
    expect(await ask()).toEqual([503, { error: expect.stringMatching(/\S/) }]);
    await justAsked();
    expect((await ask())[1]).toMatchObject({ subscribed: true });
  });

  test('as somebody whom the provider has never heard of keeps what they have', async () => {
    await subscribe();
    await ask();
    billing = openBilling(database);
    await database.admin.query(
      `update private.subscription_syncs set asked_at = now() - interval '2 seconds'`,
    );
    expect((await ask())[1]).toMatchObject({ subscribed: true, plan: 'plus' });
    expect(billing.warnings.length).toBe(1);
  });

  test.each([
    [401, 401],
    [500, 503],
  ])('and whom the table API answers %i is told %i', async (told, status) => {
    expect(await ask({ table: async () => Response.json({}, { status: told }) })).toEqual([
      status,
      { error: expect.stringMatching(/\S/) },
    ]);
  });

  test('as the administrator gets an answer without a question to the provider', async () => {
    await subscribe();
    expect(await ask({ admin: ana.id })).toEqual([200, FREE]);
    expect(billing.model.asked).toEqual([]);
  });
});

describe('nobody asks', () => {
  test('for somebody else', async () => {
    const bia = await createUser(database.admin);
    await subscribe(bia);
    for (const userId of [bia.id, null, 7, [ana.id]])
      expect((await ask({ method: 'POST', body: JSON.stringify({ userId }) }))[0]).toBe(403);
    expect(billing.model.asked).toEqual([]);
  });

  test.each([
    ['as a visitor', { claims: { role: 'anon' } }, 401],
    ['with the service key', { claims: { role: 'service_role' } }, 401],
    ['with a broken body', { method: 'POST', body: '{' }, 400],
    ['with a list', { method: 'POST', body: '[]' }, 400],
    ['by deleting', { method: 'DELETE' }, 405],
  ])('%s', async (_how, init, status) => {
    expect((await ask(init))[0]).toBe(status);
  });
});
