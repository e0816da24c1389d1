import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, setPlan, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readOutcome } from './support/read-outcome.ts';
import { EVENTS, openWebhooks } from './support/webhooks.ts';

let database: ThrowawayDatabase;
let hooks: ReturnType<typeof openWebhooks>;
let owner: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  hooks = openWebhooks(database);
});
afterAll(() => database.drop());
beforeEach(async () => {
  // What others left waiting would be taken, too.
  await database.admin.query('delete from private.webhooks');
  owner = await createUser(database.admin, { plan: 'plus' });
  stranger = await createUser(database.admin, { plan: 'plus' });
});

const URL = 'https://recebe.exemplo.com.br/linkoteca';
const attempt = (caller: TestCaller, text: string, ...values: unknown[]) =>
  readOutcome(database, caller, text, values);
async function rowsOf(caller: TestCaller, text: string, ...values: unknown[]) {
  const { rows } = await queryAs<Record<string, unknown>>(database, caller, text, values);
  return rows;
}
const list = (person = owner) => rowsOf(person, 'select * from list_webhooks()');
const change = (id: string, { url = URL, events = EVENTS, enabled = true } = {}, person = owner) =>
  attempt(person, 'select change_webhook($1, $2, $3, $4)', id, url, events, enabled);
const secretsOf = async () => (await hooks.take())[0]?.secrets.map((secret) => secret.toString('base64'));

describe('a webhook', () => {
  test('has a secret of its own, which is told once', async () => {
    const made = await hooks.create(owner);
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await list()).toEqual([
      {
        id: made.id,
        url: URL,
        events: EVENTS,
        created_at: expect.any(Date),
        off_at: null,
        off_reason: null,
        failing_since: null,
        waiting: '0',
        delivered_at: null,
      },
    ]);
    const other = await hooks.create(owner, `${URL}/2`);
    expect(other.secret).not.toBe(made.secret);
  });

  test('changes its address and events, and is turned off and on', async () => {
    const { id } = await hooks.create(owner);
    await change(id, { url: 'https://outro.exemplo.com.br/', events: ['link.created'], enabled: false });
    expect(await list()).toMatchObject([
      { url: 'https://outro.exemplo.com.br/', events: ['link.created'], off_reason: 'owner' },
    ]);
    await change(id);
    expect(await list()).toMatchObject([{ url: URL, events: EVENTS, off_at: null, off_reason: null }]);
  });

  test('that is turned off sends nothing of what waits, and all of it once it is on again', async () => {
    const { id } = await hooks.create(owner);
    await rowsOf(owner, 'select send_webhook_test($1)', id);
    await change(id, { enabled: false });
    expect(await hooks.take()).toEqual([]);
    await change(id);
    expect(await hooks.take()).toHaveLength(1);
  });

  test('gets another secret: the old one signs as well, for a day', async () => {
    const { id, secret } = await hooks.create(owner);
    const [row] = await rowsOf(owner, 'select rotate_webhook_secret($1) as secret', id);
    const fresh = String(row?.['secret']);
    expect(fresh).toMatch(/^whsec_/);
    expect(fresh).not.toBe(secret);
    await rowsOf(owner, 'select send_webhook_test($1)', id);
    expect(await secretsOf()).toEqual([fresh.slice(6), secret.slice(6)]);
    await hooks.age(id, '25 hours');
    expect(await secretsOf()).toEqual([fresh.slice(6)]);
  });

  test('gets another secret twice, since the first answer was lost: what the receiver has signs as well, for a day', async () => {
    const { id, secret } = await hooks.create(owner);
    const rotate = async () => {
      const [row] = await rowsOf(owner, 'select rotate_webhook_secret($1) as secret', id);
      return String(row?.['secret']).slice(6);
    };
    const lost = await rotate();
    await hooks.age(id, '1 hour');
    const kept = await rotate();
    await rowsOf(owner, 'select send_webhook_test($1)', id);
    expect(await secretsOf()).toEqual([kept, lost, secret.slice(6)]);
    await hooks.age(id, '23.5 hours');
    expect(await secretsOf()).toEqual([kept, lost]);
    await hooks.age(id, '1 hour');
    expect(await secretsOf()).toEqual([kept]);
  });

  test('that is deleted is gone, sends nothing, and comes back as it was within the hour', async () => {
    const { id, secret } = await hooks.create(owner);
    await rowsOf(owner, 'select send_webhook_test($1)', id);
    await rowsOf(owner, 'select delete_webhook($1)', id);
    expect(await list()).toEqual([]);
    expect(await hooks.take()).toEqual([]);
    expect(await change(id)).toEqual({ code: 'PT404' });
    expect(await attempt(owner, 'select delete_webhook($1)', id)).toEqual({ code: 'PT404' });
    await rowsOf(owner, 'select restore_webhook($1)', id);
    expect(await secretsOf()).toEqual([secret.slice(6)]);

    await rowsOf(owner, 'select delete_webhook($1)', id);
    await hooks.age(id, '61 minutes');
    expect(await attempt(owner, 'select restore_webhook($1)', id)).toEqual({ code: 'PT404' });
    await rowsOf('service_role', 'select private.purge_webhooks()');
    const left = await database.admin.query('select from private.webhooks where id = $1', [id]);
    expect(left.rowCount).toBe(0);
  });

  test.each([
    ['free', 1],
    ['plus', 5],
    ['pro', 20],
  ] as const)('of the plan %s is one of %i', async (plan, most) => {
    const person = await createUser(database.admin, { plan });
    for (let n = 1; n <= most; n += 1) await hooks.create(person, `${URL}/${n}`);
    const [first] = await list(person);
    expect(await attempt(person, 'select * from create_webhook($1, $2)', URL, EVENTS)).toEqual({
      code: 'PT409',
    });
    await rowsOf(person, 'select delete_webhook($1)', first?.['id']);
    await hooks.create(person);
    expect(await attempt(person, 'select restore_webhook($1)', first?.['id'])).toEqual({ code: 'PT409' });
  });

  test('comes back after a downgrade in either order, and to no more than there were', async () => {
    const made: string[] = [];
    for (const n of [1, 2, 3]) made.push((await hooks.create(owner, `${URL}/${n}`)).id);
    const [first, second] = made;
    await setPlan(database.admin, owner.id, 'free');
    const pairs = [
      [first, second],
      [second, first],
    ];
    for (const order of pairs) {
      for (const id of [first, second]) await rowsOf(owner, 'select delete_webhook($1)', id);
      for (const id of order)
        expect(await attempt(owner, 'select restore_webhook($1)', id)).toEqual({ rows: 1 });
      expect(await list()).toHaveLength(3);
    }
    expect(await attempt(owner, 'select * from create_webhook($1, $2)', URL, EVENTS)).toEqual({
      code: 'PT409',
    });
    // Those that are gone for good keep no place for another.
    for (const id of made) await rowsOf(owner, 'select delete_webhook($1)', id);
    for (const id of [first, second]) await hooks.age(id ?? '', '61 minutes');
    await hooks.create(owner);
    expect(await attempt(owner, 'select restore_webhook($1)', made[2])).toEqual({ code: 'PT409' });
  });

  test('goes with the account, as soon as its owner deletes it', async () => {
    await hooks.create(owner);
    await rowsOf('service_role', 'select close_account($1)', owner.id);
    await hooks.create(stranger);
    await database.admin.query('delete from auth.users where id = $1', [stranger.id]);
    const left = await database.admin.query('select from private.webhooks where user_id in ($1, $2)', [
      owner.id,
      stranger.id,
    ]);
    expect(left.rowCount).toBe(0);
  });

  test('goes with the account also when its owner deletes it a second time', async () => {
    await rowsOf('service_role', 'select close_account($1)', owner.id);
    await database.admin.query(`update auth.users set last_sign_in_at = now() where id = $1`, [owner.id]);
    await database.admin.query(
      `insert into private.webhooks (user_id, url, events) values ($1, 'https://a.exemplo.com.br/', '{link.created}')`,
      [owner.id],
    );
    await rowsOf('service_role', 'select close_account($1)', owner.id);
    const left = await database.admin.query('select from private.webhooks where user_id = $1', [owner.id]);
    expect(left.rowCount).toBe(0);
  });

  test('of somebody who is banned or at rest sends nothing meanwhile', async () => {
    const { id } = await hooks.create(owner);
    await rowsOf(owner, 'select send_webhook_test($1)', id);
    await database.admin.query(
      `update auth.users set banned_until = now() + interval '1 hour' where id = $1`,
      [owner.id],
    );
    expect(await hooks.take()).toEqual([]);
    await database.admin.query('update auth.users set banned_until = null where id = $1', [owner.id]);
    expect(await hooks.take()).toHaveLength(1);
  });

  test.each([
    ['is at rest', `insert into private.account_closures (user_id, reason) values ($1, 'inactivity')`],
    ['was deleted and its row kept', 'update auth.users set deleted_at = now() where id = $1'],
  ])('of somebody whose account %s sends nothing of what waits', async (_how, change) => {
    const { id } = await hooks.create(owner);
    await rowsOf(owner, 'select send_webhook_test($1)', id);
    await database.admin.query(change, [owner.id]);
    expect(await hooks.take()).toEqual([]);
    expect(await hooks.deliveries(id)).toMatchObject([{ state: 'waiting' }]);
  });
});

describe('an address', () => {
  test.each([
    'http://recebe.exemplo.com.br/',
    'https://localhost/',
    'https://intranet/',
    'https://cofre.internal/latest',
    'https://impressora.local',
    'https://roteador.home.arpa/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://ana:senha@exemplo.com.br/',
    'https://exemplo.com.br:8443/',
    'https://exemplo.com.br:22/',
    'https://exemplo.com.br@interno.exemplo/#/',
    'https://exemplo.com.br/a b',
    'https://exemplo.com.br/\u0000',
    'https://exemplo.com.br/\nx-y: z',
    `https://exemplo.com.br/${'a'.repeat(500)}`,
    'ftp://exemplo.com.br/',
    'javascript:alert(1)',
    '',
  ])('%j is refused', async (url) => {
    const made = await attempt(owner, 'select * from create_webhook($1, $2)', url, EVENTS);
    expect(['PT400', '22021']).toContain((made as { code: string }).code);
    expect(await list()).toEqual([]);
  });

  test.each([
    'https://exemplo.com.br',
    'https://a.exemplo.com.br:443/x?y=1',
    'https://xn--e1afmkfd.xn--p1ai/',
  ])('%s is taken', async (url) => {
    await hooks.create(owner, url);
    expect(await list()).toMatchObject([{ url }]);
  });

  test.each([[[]], [['link.created', 'tudo']], [[null]], [null]])('events %j are refused', async (events) => {
    expect(await attempt(owner, 'select * from create_webhook($1, $2)', URL, events)).toEqual({
      code: 'PT400',
    });
  });
});

describe('a stranger', () => {
  test('neither sees nor changes somebody else’s webhook, by its id or its deliveries’', async () => {
    const { id } = await hooks.create(owner);
    await rowsOf(owner, 'select send_webhook_test($1)', id);
    const [delivery] = await hooks.deliveries(id);
    expect(await list(stranger)).toEqual([]);
    expect(await rowsOf(stranger, 'select * from list_webhook_deliveries($1)', id)).toEqual([]);
    for (const [call, ...values] of [
      ['change_webhook($1, $2, $3, true)', id, URL, EVENTS],
      ['rotate_webhook_secret($1)', id],
      ['delete_webhook($1)', id],
      ['send_webhook_test($1)', id],
      ['resend_webhook_delivery($1)', delivery?.id],
    ] as const) {
      const theirs = await attempt(stranger, `select ${call}`, ...values);
      expect(theirs, call).toEqual({ code: 'PT404' });
    }
    await rowsOf(owner, 'select delete_webhook($1)', id);
    expect(await attempt(stranger, 'select restore_webhook($1)', id)).toEqual({ code: 'PT404' });
    await rowsOf(owner, 'select restore_webhook($1)', id);
    expect(await hooks.deliveries(id)).toEqual([delivery]);
  });

  test.each(['webhooks', 'webhook_deliveries'])(
    'does not reach private.%s, nor does anybody else',
    async (table) => {
      for (const caller of [owner, 'anon', 'service_role'] as const)
        expect(await attempt(caller, `select from private.${table}`)).toEqual({ code: '42501' });
    },
  );

  test('takes and notes nothing as a person, and makes nothing as a visitor', async () => {
    for (const caller of [owner, 'anon'] as const)
      for (const call of [
        'private.claim_webhook_deliveries(1)',
        `private.note_webhook_delivery(gen_random_uuid(), 'delivered')`,
        'private.purge_webhooks()',
        `private.queue_webhook_event(null, 'link.created', '', '{}')`,
      ])
        expect(await attempt(caller, `select ${call}`), call).toEqual({ code: '42501' });
    for (const caller of ['anon', 'service_role'] as const)
      expect(await attempt(caller, 'select * from create_webhook($1, $2)', URL, EVENTS)).toEqual({
        code: '42501',
      });
  });
});
