import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';
import { inviteToFolder } from './support/share-folder.ts';

let database: ThrowawayDatabase;
let library: Library;
let asker: TestUser;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.admin.query('truncate private.access_requests, private.access_request_mails');
  library = await createLibrary(database, { plan: 'plus', name: 'Marta' });
  asker = await createUser(database.admin, { name: 'Ana' });
});

const attempt = (caller: TestCaller, text: string, ...values: unknown[]) =>
  readOutcome(database, caller, text, values);
const request = (caller: TestCaller = asker, categoryId = library.categoryId, note = '') =>
  attempt(caller, 'select request_access($1, $2)', categoryId, note);
const list = async (owner: TestCaller = library.owner) =>
  (await queryAs<{ id: string }>(database, owner, 'select id from list_access_requests()')).rows;

describe('the mail to the owner', () => {
  type Mail = { readonly id: string; readonly email: string };
  const claim = async () =>
    (await queryAs<Mail>(database, 'service_role', 'select * from claim_access_request_mails(10)')).rows;
  const begin = async (id: string) =>
    (
      await queryAs<{ value: boolean }>(
        database,
        'service_role',
        'select begin_access_request_mail($1) as value',
        [id],
      )
    ).rows[0]?.value;
  const finish = (id: string, outcome: string) =>
    queryAs(database, 'service_role', 'select finish_access_request_mail($1, $2)', [id, outcome]);

  test('goes once, with what it says', async () => {
    await request(asker, library.categoryId, 'Oi');
    const [mail, ...others] = await claim();
    expect(others).toEqual([]);
    expect(mail).toEqual({
      id: expect.any(String),
      email: library.owner.email,
      category_id: library.categoryId,
      category_name: 'Leituras',
      asker_name: 'Ana',
      asker_email: asker.email,
      note: 'Oi',
      unsubscribe_token: expect.any(String),
    });
    const id = mail?.id ?? '';
    expect([await begin(id), await begin(id)]).toEqual([true, false]);
    await finish(id, 'sent');
    expect(await claim()).toEqual([]);
    // An address that no mail goes to has none to refuse.
    const addresses = 'select email from private.share_mail_addresses where email = any ($1)';
    const { rows } = await database.admin.query(addresses, [[library.owner.email, asker.email]]);
    expect(rows).toEqual([{ email: library.owner.email }]);
  });

  test('is tried again when it surely did not go, and never when it may have gone', async () => {
    await request();
    const [mail] = await claim();
    const id = mail?.id ?? '';
    await begin(id);
    await finish(id, 'retry');
    expect(await claim()).toEqual([]);
    await database.admin.query('update private.access_request_mails set next_attempt_at = now()');
    expect(await claim()).toHaveLength(1);
    await begin(id);
    await database.admin.query(
      `update private.access_request_mails set leased_until = now() - interval '1 s'`,
    );
    expect(await claim()).toEqual([]);
  });

  test('goes out no more once the request is answered', async () => {
    await request();
    const [mail] = await claim();
    await attempt(library.owner, 'select answer_access_request($1, false)', (await list())[0]?.id);
    expect(await begin(mail?.id ?? '')).toBe(false);
    expect(await claim()).toEqual([]);
  });

  test('goes to an owner three times a day at most, and once about the same person', async () => {
    const second = await createCategory(database, library.owner, library.folderId, 'Outra');
    await request();
    await request(asker, second);
    expect(await claim()).toHaveLength(1);
    for (let n = 0; n < 4; n += 1) await request(await createUser(database.admin));
    expect(await claim()).toHaveLength(2);
    expect(await list()).toHaveLength(6);
    // Another owner's are their own.
    const other = await createLibrary(database, { plan: 'plus', name: 'Rui' });
    await request(asker, other.categoryId);
    expect((await claim()).map(({ email }) => email)).toEqual([other.owner.email]);
  });

  test('goes again the day after, to another about another, and no more after a week', async () => {
    await request();
    await database.admin.query(
      `update private.access_request_mails set queued_at = now() - interval '25 hours'`,
    );
    await request(asker, await createCategory(database, library.owner, library.folderId, 'Outra'));
    expect(await claim()).toHaveLength(2);
    await database.admin.query(
      `update private.access_request_mails set state = 'waiting', queued_at = now() - interval '8 days'`,
    );
    expect(await claim()).toEqual([]);
    const { rowCount } = await database.admin.query('select from private.access_request_mails');
    expect(rowCount).toBe(0);
  });

  test('goes to no owner without a confirmed address, nor to one whose account is closed', async () => {
    await request();
    await database.admin.query('update auth.users set email_confirmed_at = null where id = $1', [
      library.owner.id,
    ]);
    expect(await claim()).toEqual([]);
    await database.admin.query('update auth.users set email_confirmed_at = now() where id = $1', [
      library.owner.id,
    ]);
    await database.admin.query(
      `insert into private.account_closures (user_id, reason) values ($1, 'inactivity')`,
      [library.owner.id],
    );
    expect(await claim()).toEqual([]);
    await database.admin.query('delete from private.account_closures where user_id = $1', [library.owner.id]);
    expect(await claim()).toHaveLength(1);
  });

  test('is sent by whoever holds the lease: not twice, not by another, not after it', async () => {
    await request();
    await request(await createUser(database.admin));
    const [first, second] = await claim();
    const [a, b] = [first?.id ?? '', second?.id ?? ''];
    expect(await claim()).toEqual([]);
    await database.admin.query(
      `update private.access_request_mails set leased_until = now() - interval '1 s' where id = $1`,
      [a],
    );
    expect(await begin(a)).toBe(false);
    expect((await claim()).map(({ id }) => id)).toEqual([a]);
    expect([await begin(a), await begin(b)]).toEqual([true, true]);
    await finish(a, 'refused');
    const { rows } = await database.admin.query(
      'select state from private.access_request_mails order by id = $1 desc',
      [a],
    );
    expect(rows).toEqual([{ state: 'refused' }, { state: 'sending' }]);
    expect(
      (await queryAs(database, 'service_role', `select finish_access_request_mail($1, 'sent') as done`, [a]))
        .rows,
    ).toEqual([{ done: false }]);
    for (const outcome of ['waiting', null])
      expect(await attempt('service_role', 'select finish_access_request_mail($1, $2)', b, outcome)).toEqual({
        code: 'PT400',
      });
  });

  test('goes out no more to whoever wants none since it was claimed', async () => {
    await request();
    const [mail] = await claim();
    await database.admin.query(
      'update private.share_mail_addresses set unsubscribed_at = now() where email = $1',
      [library.owner.email],
    );
    expect(await begin(mail?.id ?? '')).toBe(false);
    const { rows } = await database.admin.query(
      'select state, attempts, leased_until from private.access_request_mails',
    );
    expect(rows).toEqual([{ state: 'waiting', attempts: 0, leased_until: null }]);
  });

  test.each(['has another address', 'has closed the account', 'has handed the category over'] as const)(
    'goes out no more to an owner who %s since it was claimed',
    async (change) => {
      await request();
      const [mail] = await claim();
      const address = `nova-${library.owner.email}`;
      if (change === 'has another address')
        await database.admin.query('update auth.users set email = $2 where id = $1', [
          library.owner.id,
          address,
        ]);
      else if (change === 'has closed the account')
        await database.admin.query(
          `insert into private.account_closures (user_id, reason) values ($1, 'inactivity')`,
          [library.owner.id],
        );
      else {
        const taker = await createUser(database.admin, { plan: 'plus' });
        await inviteToFolder(database, library.owner, library.folderId, taker.email, 'manager');
        await attempt(library.owner, 'select offer_folder($1, $2)', library.folderId, taker.email);
        expect(await attempt(taker, 'select take_folder($1)', library.folderId)).toEqual({ rows: 1 });
        expect(await list(taker)).toHaveLength(1);
      }
      expect(await begin(mail?.id ?? '')).toBe(false);
      const { rows } = await database.admin.query(
        'select state, attempts, leased_until from private.access_request_mails where id = $1',
        [mail?.id],
      );
      expect(rows).toEqual([{ state: 'waiting', attempts: 0, leased_until: null }]);
      expect((await claim()).map(({ email }) => email)).toEqual(
        change === 'has another address' ? [address] : [],
      );
    },
  );

  test('that is under way is not sent again because its owner has another address meanwhile', async () => {
    await request();
    const [mail] = await claim();
    const id = mail?.id ?? '';
    expect(await begin(id)).toBe(true);
    await database.admin.query('update auth.users set email = $2 where id = $1', [
      library.owner.id,
      `nova-${library.owner.email}`,
    ]);
    expect(await claim()).toEqual([]);
    await finish(id, 'sent');
    const { rows } = await database.admin.query('select state, attempts from private.access_request_mails');
    expect(rows).toEqual([{ state: 'sent', attempts: 1 }]);
  });

  test('does not go to whoever wants no such mails', async () => {
    await request();
    await database.admin.query(
      `insert into private.share_mail_addresses (email, unsubscribed_at) values ($1, now())`,
      [library.owner.email],
    );
    expect(await claim()).toEqual([]);
  });
});
