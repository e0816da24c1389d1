import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';
import { undoDeletion } from './support/undo-deletion.ts';

let database: ThrowawayDatabase;
let library: Library;

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.admin.query('truncate private.share_notifications, private.share_mail_addresses');
  library = await createLibrary(database, { plan: 'pro', name: 'Marta' });
});

type Claimed = { readonly id: string; readonly email: string; readonly unsubscribe_token: string };

const claim = async (max = 100, category: string | null = null) =>
  (
    await queryAs<Claimed>(database, 'service_role', 'select * from claim_share_notifications($1, $2)', [
      max,
      category,
    ])
  ).rows;
const claimOne = async (): Promise<Claimed> => {
  const [first] = await claim(1);
  if (!first) throw new Error('nothing is due');
  return first;
};
const ask = async <T>(caller: TestCaller, call: string, values: readonly unknown[]): Promise<T | undefined> =>
  (await queryAs<{ answer: T }>(database, caller, `select ${call} as answer`, values)).rows[0]?.answer;
const begin = (id: string) => ask<boolean>('service_role', 'begin_share_notification($1)', [id]);
const finish = (id: string, outcome: string) =>
  ask<boolean>('service_role', 'finish_share_notification($1, $2)', [id, outcome]);
const save = (emails: readonly string[], id = library.categoryId, owner: TestUser = library.owner) =>
  ask(owner, 'save_sharing($1, false, $2)', [id, emails]);
const queue = (emails: readonly string[], id = library.categoryId, caller: TestCaller = library.owner) =>
  ask<number>(caller, 'queue_share_notifications($1, $2)', [id, emails]);
const age = (interval: string) =>
  database.admin.query(
    `update private.share_notifications set next_attempt_at = next_attempt_at - $1::interval,
       claimed_at = claimed_at - $1::interval, leased_until = leased_until - $1::interval,
       queued_at = queued_at - $1::interval`,
    [interval],
  );
const sendAll = () =>
  database.admin.query(`update private.share_notifications set state = 'sent' where state = 'sending'`);
const numbered = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => `a${from + n}@exemplo.com.br`);

describe('a notification', () => {
  test('is claimed with what the mail says, and with a key to unsubscribe', async () => {
    await queryAs(database, library.owner, `update categories set description = 'Boas leituras'`);
    await save(['ana@a.br']);
    const [claimed] = await claim();
    expect(claimed).toMatchObject({
      category_id: library.categoryId,
      email: 'ana@a.br',
      category_name: 'Leituras',
      description: 'Boas leituras',
      owner_name: 'Marta',
      unsubscribe_token: expect.stringMatching(/^[0-9a-f-]{36}$/),
      attempts: 1,
    });
    expect(await claim()).toEqual([]);
  });

  test('once sent, is never sent again, however often it is asked for', async () => {
    await save(['ana@a.br']);
    const { id } = await claimOne();
    expect(await begin(id)).toBe(true);
    expect(await begin(id)).toBe(false);
    expect(await finish(id, 'sent')).toBe(true);
    expect(await finish(id, 'retry')).toBe(false);
    expect(await queue(['ana@a.br'])).toBe(1);
    await save([]);
    await save(['ana@a.br']);
    await age('2 days');
    expect(await claim()).toEqual([]);
  });

  test('comes back after a failure, later each time, and is given up after a week', async () => {
    await save(['ana@a.br']);
    for (const minutes of [1, 2, 4, 8]) {
      const { id } = await claimOne();
      await begin(id);
      await finish(id, 'retry');
      await age(`${minutes * 60 - 5} seconds`);
      expect(await claim()).toEqual([]);
      await age('6 seconds');
    }
    await age('6 days');
    const [last] = await claim();
    await finish(last?.id ?? '', 'retry');
    await age('1 day');
    expect(await claim()).toEqual([]);
  });

  test('of a worker that died before it began goes to another; after that to nobody', async () => {
    await save(['ana@a.br', 'bia@a.br']);
    const [first, second] = await claim();
    await begin(second?.id ?? '');
    await age('4 minutes');
    expect(await claim()).toEqual([]);
    await age('61 seconds');
    expect((await claim()).map(({ id }) => id)).toEqual([first?.id]);
    expect(await finish(second?.id ?? '', 'sent')).toBe(false);
  });

  test('that the address refuses for good is not tried again', async () => {
    await save(['ana@a.br']);
    await finish((await claimOne()).id, 'refused');
    await age('1 day');
    expect(await claim()).toEqual([]);
  });

  test('goes to one of many workers who ask at once', async () => {
    await save(numbered(20));
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim(5)));
    const all = claims.flat().map(({ id }) => id);
    expect(all.length).toBe(20);
    expect(new Set(all).size).toBe(20);
  });

  test('can be asked for by category', async () => {
    const other = await createCategory(database, library.owner, library.folderId, 'Outra');
    await save(['ana@a.br']);
    await save(['bia@a.br'], other);
    expect((await claim(10, other)).map(({ email }) => email)).toEqual(['bia@a.br']);
  });

  test('of a banned or deleted account waits, also where it was banned between claim and sending', async () => {
    const set = (column: 'banned_until' | 'deleted_at', value: string | null) =>
      database.admin.query(`update auth.users set ${column} = $2 where id = $1`, [library.owner.id, value]);
    await save(['ana@a.br']);
    for (const column of ['banned_until', 'deleted_at'] as const) {
      await set(column, 'infinity');
      expect(await claim(), column).toEqual([]);
      await set(column, null);
      const { id } = await claimOne();
      await set(column, 'infinity');
      expect(await begin(id), column).toBe(false);
      await set(column, null);
    }
    expect((await claim()).map(({ email }) => email)).toEqual(['ana@a.br']);
  });

  test('that was given up is due again for whoever is invited anew', async () => {
    await save(['ana@a.br']);
    await age('8 days');
    expect(await claim()).toEqual([]);
    await save([]);
    await save(['ana@a.br']);
    expect((await claim()).map(({ email }) => email)).toEqual(['ana@a.br']);
  });
});

describe('is not sent', () => {
  test('what was revoked before it was claimed, or between claim and sending', async () => {
    await save(['ana@a.br', 'bia@a.br']);
    await save(['bia@a.br']);
    const claimed = await claim();
    expect(claimed.map(({ email }) => email)).toEqual(['bia@a.br']);
    await save([]);
    expect(await begin(claimed[0]?.id ?? '')).toBe(false);
    expect(await claim()).toEqual([]);
    // Invited again, the mail that never went out is due.
    await save(['bia@a.br']);
    expect((await claim()).map(({ email }) => email)).toEqual(['bia@a.br']);
  });

  test('what was published, what was deleted; undone, it is sent once', async () => {
    await save(['ana@a.br']);
    await queryAs(database, library.owner, 'delete from categories');
    expect(await claim()).toEqual([]);
    await undoDeletion(database, library.owner, 'category', [library.categoryId]);
    const { id } = await claimOne();
    await finish(id, 'sent');
    await queryAs(database, library.owner, 'delete from categories');
    await undoDeletion(database, library.owner, 'category', [library.categoryId]);
    expect(await queue(['ana@a.br'])).toBe(1);
    await ask(library.owner, `save_sharing($1, true, '{}')`, [library.categoryId]);
    expect(await claim()).toEqual([]);
  });

  test('what an account that is gone had queued', async () => {
    await save(['ana@a.br']);
    await database.admin.query('delete from auth.users where id = $1', [library.owner.id]);
    expect((await database.admin.query('select from private.share_notifications')).rowCount).toBe(0);
  });

  test('to who unsubscribed, by whomever they are invited, until they want it again', async () => {
    await save(['ana@a.br']);
    const { id, unsubscribe_token: token } = await claimOne();
    await finish(id, 'sent');
    const unsubscribe = (stop?: boolean) =>
      ask<string>('service_role', 'unsubscribe_share_mail($1, $2)', [token, stop]);
    expect(await unsubscribe()).toBe('ana@a.br');
    expect(await unsubscribe()).toBe('ana@a.br');
    const other = await createLibrary(database, { plan: 'plus' });
    await save(['ana@a.br', 'bia@a.br'], other.categoryId, other.owner);
    // To the inviter nothing shows of it.
    expect(await queue(['ana@a.br', 'bia@a.br'], other.categoryId, other.owner)).toBe(2);
    expect((await claim()).map(({ email }) => email)).toEqual(['bia@a.br']);
    expect(await unsubscribe(false)).toBe('ana@a.br');
    expect((await claim()).map(({ email }) => email)).toEqual(['ana@a.br']);
    expect(
      await ask('service_role', 'unsubscribe_share_mail($1)', ['99999999-9999-4999-8999-999999999999']),
    ).toBeNull();
  });

  test('to who unsubscribed between claim and sending', async () => {
    await save(['ana@a.br']);
    const { id, unsubscribe_token: token } = await claimOne();
    await ask('service_role', 'unsubscribe_share_mail($1)', [token]);
    expect(await begin(id)).toBe(false);
  });
});

describe('the limits', () => {
  /** Mails of the past that nothing is known of but whom they were from and to. */
  const sent = (count: number, ago: string, sender = library.owner.id, email = 'x@a.br') =>
    database.admin.query(
      `insert into private.share_notifications (category_id, email, sender_id, state, claimed_at)
       select gen_random_uuid(), $4, $1, 'sent', now() - $3::interval from generate_series(1, $2)`,
      [sender, count, ago, email],
    );
  /** One invitation of somebody else's. */
  const inviteAs = async (emails: readonly string[]) => {
    const other = await createLibrary(database, { plan: 'plus' });
    await save(emails, other.categoryId, other.owner);
    return other;
  };

  test('let 25 a minute, 50 an hour and 200 a day of one sender out, the rest later, and others are not held up', async () => {
    await save(numbered(70));
    await inviteAs(['bia@a.br']);
    const first = await claim();
    expect(first.length).toBe(26);
    expect(first.slice(0, 2).map(({ email }) => email)).toContain('bia@a.br');
    await sendAll();
    await age('61 seconds');
    expect((await claim()).length).toBe(25);
    await sendAll();
    await age('61 seconds');
    expect((await claim()).length).toBe(0);
    await age('61 minutes');
    await sent(140, '2 hours');
    expect((await claim()).length).toBe(10);
    await sendAll();
    await age('61 minutes');
    expect((await claim()).length).toBe(0);
    await age('1 day');
    expect((await claim()).length).toBe(10);
  });

  test('let three a minute and ten a day reach one mailbox, whoever sends; what is over comes later', async () => {
    for (let n = 0; n < 12; n += 1) await inviteAs(['ana@a.br']);
    await inviteAs(['bia@a.br']);
    const reached: number[] = [];
    for (let minute = 0; minute < 5; minute += 1) {
      reached.push((await claim()).filter(({ email }) => email === 'ana@a.br').length);
      await sendAll();
      await age('61 seconds');
    }
    expect(reached).toEqual([3, 3, 3, 1, 0]);
    expect(
      (
        await database.admin.query(
          `select from private.share_notifications where email = 'bia@a.br' and state = 'sent'`,
        )
      ).rowCount,
    ).toBe(1);
    await age('1 day');
    expect((await claim()).length).toBe(2);
  });

  test('leave half of a receiver’s day to others, so that one sender stops nobody’s invitation', async () => {
    await sent(5, '2 hours', library.owner.id, 'ana@a.br');
    await save(['ana@a.br', 'bia@a.br']);
    const friend = await inviteAs(['ana@a.br']);
    const claimed = await claim();
    expect(claimed.map(({ email }) => email).toSorted()).toEqual(['ana@a.br', 'bia@a.br']);
    expect(claimed).toContainEqual(expect.objectContaining({ category_id: friend.categoryId }));
    await sendAll();
    await age('1 day');
    expect((await claim()).map(({ email }) => email)).toEqual(['ana@a.br']);
  });

  test.each([
    [['ana.maria@gmail.com', 'anamaria@gmail.com', 'anamaria+a@gmail.com', 'a.namaria+b@googlemail.com'], 1],
    [['ana@outlook.com', 'ana+1@outlook.com'], 1],
    // Whose dots and plus signs these are, only their servers know.
    [['ana.maria@empresa.com.br', 'anamaria@empresa.com.br', 'anamaria+1@empresa.com.br'], 3],
    [['ana.maria@outlook.com', 'anamaria@outlook.com'], 2],
    [['+@gmail.com', '+a@gmail.com'], 2],
  ])('take %j for %i mailboxes', async (emails, mailboxes) => {
    await save(emails);
    // One mail a category …
    expect((await claim()).length).toBe(mailboxes);
    await sendAll();
    expect(await queue(emails)).toBe(emails.length);
    expect((await claim()).length).toBe(0);
    // … and three a minute, under whatever name.
    const [first = ''] = emails;
    for (let n = 0; n < 4; n += 1) await inviteAs([emails[n % emails.length] ?? first]);
    const more = (await claim()).length;
    expect(more).toBe(mailboxes === 1 ? 2 : 4);
  });

  test('of a mailbox end with one word, under all its names', async () => {
    await save(['ana+1@gmail.com']);
    const { id, unsubscribe_token: token } = await claimOne();
    await finish(id, 'sent');
    await inviteAs(['ana+2@gmail.com']);
    expect(await ask('service_role', 'unsubscribe_share_mail($1)', [token])).toBe('ana+1@gmail.com');
    await inviteAs(['a.na@gmail.com']);
    expect(await claim()).toEqual([]);
    expect(await ask('service_role', 'unsubscribe_share_mail($1, false)', [token])).toBe('ana+1@gmail.com');
    expect((await claim()).length).toBe(2);
  });

  test('write to the name that stands in the list', async () => {
    await save(['ana+1@gmail.com']);
    await save(['ana+2@gmail.com']);
    expect((await claim()).map(({ email }) => email)).toEqual(['ana+2@gmail.com']);
  });

  test('hold with workers that claim at once', async () => {
    await save(numbered(90));
    for (let n = 0; n < 12; n += 1) await inviteAs(['ana@a.br']);
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim(30)));
    const addresses = claims.flat().map(({ email }) => email);
    expect(addresses.filter((email) => email === 'ana@a.br').length).toBe(3);
    expect(addresses.length).toBe(25 + 3);
  });

  test('count nothing that was put off by the mail server', async () => {
    await save(numbered(60));
    for (const { id } of await claim()) await finish(id, 'retry');
    expect((await claim()).length).toBe(25);
    await age('2 minutes');
    expect((await claim()).length).toBe(25);
  });

  test('of a queue hold when it is filled by many at once', async () => {
    await database.admin.query(
      `insert into private.share_notifications (category_id, email, sender_id)
       select gen_random_uuid(), 'x@a.br', $1 from generate_series(1, 990)`,
      [library.owner.id],
    );
    const categories = await Promise.all(
      Array.from({ length: 6 }, (_, n) => createCategory(database, library.owner, library.folderId, `C${n}`)),
    );
    await Promise.all(categories.map((id, n) => save(numbered(20, n * 20), id)));
    const { rows } = await database.admin.query(
      `select count(*)::int as n from private.share_notifications where sender_id = $1`,
      [library.owner.id],
    );
    expect(rows).toEqual([{ n: 1000 }]);
  });

  test('tell the sender nothing: answers are the same with a mailbox that takes no more', async () => {
    await sent(10, '1 hour', library.owner.id, 'ana@a.br');
    expect(await save(['ana@a.br'])).toMatchObject({ emails: ['ana@a.br'], added: ['ana@a.br'] });
    expect(await queue(['ana@a.br'])).toBe(1);
    expect(await claim()).toEqual([]);
  });

  test('let a queue grow to a thousand, and sharing goes on', async () => {
    await database.admin.query(
      `insert into private.share_notifications (category_id, email, sender_id)
       select gen_random_uuid(), 'x@a.br', $1 from generate_series(1, 999)`,
      [library.owner.id],
    );
    await save(['ana@a.br', 'bia@a.br']);
    const { rows } = await database.admin.query(
      'select email from private.share_notifications where category_id = $1',
      [library.categoryId],
    );
    expect(rows).toEqual([{ email: 'ana@a.br' }]);
  });
});

describe('queueing what was written to the table', () => {
  const invite = (email: string) =>
    queryAs(database, library.owner, `insert into shared_with (category_id, email) values ($1, $2)`, [
      library.categoryId,
      email,
    ]);

  test('takes what stands in the list alone, in any spelling, once', async () => {
    await invite('ana@a.br');
    expect(await queue([' ANA@a.br', 'ana@a.br', 'vitima@a.br', 'isto não é um endereço'])).toBe(1);
    expect(await queue(['ana@a.br'])).toBe(1);
    expect((await claim()).map(({ email }) => email)).toEqual(['ana@a.br']);
  });

  test('takes no invitation of long ago', async () => {
    await invite('ana@a.br');
    await database.admin.query(`update shared_with set created_at = created_at - interval '25 hours'`);
    expect(await queue(['ana@a.br'])).toBe(0);
    expect(await claim()).toEqual([]);
  });

  test('is the owner’s alone', async () => {
    const stranger = await createUser(database.admin, { plan: 'pro' });
    await invite(stranger.email);
    for (const id of [library.categoryId, '99999999-9999-4999-8999-999999999999'])
      await expect(queue([stranger.email], id, stranger)).rejects.toMatchObject({
        code: 'PT404',
        message: 'Categoria não encontrada',
      });
    expect(await claim()).toEqual([]);
  });

  test('takes a hundred at a time', async () => {
    await expect(queue(numbered(101))).rejects.toMatchObject({ code: 'PT400' });
    expect(await ask(library.owner, 'queue_share_notifications($1, null)', [library.categoryId])).toBe(0);
  });
});

test.each([
  'select * from claim_share_notifications()',
  'select * from claim_folder_notifications()',
  'select begin_share_notification(gen_random_uuid())',
  `select finish_share_notification(gen_random_uuid(), 'sent')`,
  'select unsubscribe_share_mail(gen_random_uuid())',
  'select * from private.share_notifications',
  'select * from private.share_mail_addresses',
])('neither a person nor a visitor may: %s', async (text) => {
  for (const caller of [library.owner, 'anon'] as const)
    expect(await readOutcome(database, caller, text)).toMatchObject({ code: '42501' });
});
