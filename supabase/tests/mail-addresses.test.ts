import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;
let owner: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  owner = await createUser(database.admin);
  stranger = await createUser(database.admin);
});

const REFUSED = { code: '42501' };
const attempt = (caller: TestCaller, text: string, ...values: unknown[]) =>
  readOutcome(database, caller, text, values);
async function rowsOf(caller: TestCaller, text: string, ...values: unknown[]) {
  const { rows } = await queryAs<Record<string, unknown>>(database, caller, text, values);
  return rows;
}
const make = async (person = owner) =>
  String((await rowsOf(person, 'select change_mail_address() as made'))[0]?.['made']);
const read = async (person = owner) => (await rowsOf(person, 'select * from mail_address()'))[0];
const send = async (local: string, key = 'm1', sender = owner.email) =>
  (
    await rowsOf(
      'service_role',
      `select receive_mail($1, $2, $3, true, 'Pão', '[{"url":"https://pao.com.br/","title":"Pão"}]') as outcome`,
      local,
      key,
      sender,
    )
  )[0]?.['outcome'];

describe('an address', () => {
  test('is made when the person asks, is read again, and nobody guesses it', async () => {
    expect(await read()).toBeUndefined();
    const made = await make();
    expect(made).toMatch(/^[a-z2-7]{24}$/);
    expect(await read()).toEqual({
      local_part: made,
      any_sender: false,
      own_sender: owner.email,
      senders: [],
    });
    // Every letter stands everywhere: none of the bits is fixed.
    const { rows } = await database.admin.query<{ places: string }>(
      `select count(distinct (n, substr(made.part, n, 1))) as places
       from (select private.new_mail_local_part() as part from generate_series(1, 1000)) as made, generate_series(1, 24) n`,
    );
    expect(Number(rows[0]?.places)).toBe(24 * 32);
  });

  test('that is changed is dead at once, and keeps its senders', async () => {
    const old = await make();
    await rowsOf(owner, `select allow_mail_sender('Ana@Exemplo.com.br ')`);
    const fresh = await make();
    expect(fresh).not.toBe(old);
    expect(await send(old)).toBe('unknown_address');
    expect(await send(fresh)).toBe('saved');
    expect(await read()).toMatchObject({ local_part: fresh, senders: ['ana@exemplo.com.br'] });
  });

  test('that is given up takes everything along', async () => {
    const local = await make();
    await rowsOf(owner, `select allow_mail_sender('ana@exemplo.com.br')`);
    await send(local, 'm1', 'bia@exemplo.com.br');
    await rowsOf(owner, 'select give_up_mail_address()');
    expect(await read()).toBeUndefined();
    expect(await send(local)).toBe('unknown_address');
    const again = await make();
    expect(again).not.toBe(local);
    expect(await read()).toMatchObject({ senders: [] });
    expect(await rowsOf(owner, 'select * from list_refused_mails()')).toEqual([]);
  });

  test('goes with the account, as soon as its owner deletes it, and for good', async () => {
    const local = await make();
    await rowsOf('service_role', 'select close_account($1)', owner.id);
    const left = await database.admin.query('select from private.mail_addresses where user_id = $1', [
      owner.id,
    ]);
    expect(left.rowCount).toBe(0);
    await database.admin.query('update auth.users set last_sign_in_at = now() where id = $1', [owner.id]);
    expect(await send(local)).toBe('unknown_address');

    await make(stranger);
    await database.admin.query('delete from auth.users where id = $1', [stranger.id]);
    const gone = await database.admin.query('select from private.mail_addresses where user_id = $1', [
      stranger.id,
    ]);
    expect(gone.rowCount).toBe(0);
  });
});

describe('senders', () => {
  test('are twenty at most, each once, and addresses', async () => {
    await make();
    for (let n = 1; n <= 20; n += 1) await rowsOf(owner, 'select allow_mail_sender($1)', `p${n}@exemplo.com`);
    await rowsOf(owner, `select allow_mail_sender('P20@EXEMPLO.COM')`);
    expect(await attempt(owner, `select allow_mail_sender('outra@exemplo.com')`)).toEqual({ code: 'PT409' });
    await rowsOf(owner, `select forbid_mail_sender('P1@exemplo.com')`);
    await rowsOf(owner, `select allow_mail_sender('outra@exemplo.com')`);
    const { senders } = { senders: [] as string[], ...(await read()) };
    expect(senders).toHaveLength(20);
    expect(senders).not.toContain('p1@exemplo.com');
    for (const wrong of ['', 'ana', 'ana@exemplo', 'a b@exemplo.com', '<a@b.br>', `${'a'.repeat(250)}@b.br`])
      expect(await attempt(owner, 'select allow_mail_sender($1)', wrong), wrong).toEqual({ code: 'PT400' });
  });

  test('belong to an address: without one there are none', async () => {
    expect(await attempt(owner, `select allow_mail_sender('ana@exemplo.com')`)).toEqual({ code: 'PT404' });
    expect(await attempt(owner, 'select allow_any_mail_sender(true)')).toEqual({ code: 'PT404' });
  });
});

describe('a stranger', () => {
  test('reads and changes nothing of somebody else’s address', async () => {
    const local = await make();
    await rowsOf(owner, `select allow_mail_sender('ana@exemplo.com.br')`);
    await send(local, 'm1', 'bia@exemplo.com.br');
    await make(stranger);
    await rowsOf(stranger, 'select allow_any_mail_sender(true)');
    await rowsOf(stranger, `select forbid_mail_sender('ana@exemplo.com.br')`);
    expect(await rowsOf(stranger, 'select * from list_refused_mails()')).toEqual([]);
    await rowsOf(stranger, 'select give_up_mail_address()');
    expect(await read()).toMatchObject({
      local_part: local,
      any_sender: false,
      senders: ['ana@exemplo.com.br'],
    });
    expect(await rowsOf(owner, 'select sender from list_refused_mails()')).toEqual([
      { sender: 'bia@exemplo.com.br' },
    ]);
  });

  test.each(['mail_addresses', 'mail_senders', 'saved_mails', 'refused_mails'])(
    'does not reach private.%s, nor does anybody else',
    async (table) => {
      for (const caller of [owner, 'anon', 'service_role'] as const)
        expect(await attempt(caller, `select from private.${table}`)).toEqual(REFUSED);
    },
  );

  test('calls nothing of it as a visitor, and delivers nothing as a person', async () => {
    const local = await make();
    for (const call of [
      'mail_address()',
      'change_mail_address()',
      'give_up_mail_address()',
      `allow_mail_sender('a@b.br')`,
      `forbid_mail_sender('a@b.br')`,
      'allow_any_mail_sender(true)',
      'list_refused_mails()',
    ])
      for (const caller of ['anon', 'service_role'] as const)
        expect(await attempt(caller, `select ${call}`), call).toEqual(REFUSED);
    for (const caller of [owner, stranger, 'anon'] as const)
      expect(await attempt(caller, `select receive_mail($1, 'm1', 'a@b.br', true, '', '[]')`, local)).toEqual(
        REFUSED,
      );
  });
});
