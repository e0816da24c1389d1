import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLibrary } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;
let owner: TestUser;
let local: string;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(() => use({}));

async function use(wish: Parameters<typeof createUser>[1], person?: TestUser): Promise<void> {
  owner = person ?? (await createUser(database.admin, wish));
  const [made] = await rowsOf(owner, 'select change_mail_address() as local');
  local = String(made?.['local']);
}

async function rowsOf(caller: TestCaller, text: string, ...values: unknown[]) {
  const { rows } = await queryAs<Record<string, unknown>>(database, caller, text, values);
  return rows;
}

type Link = { readonly url: string; readonly title: string; readonly description?: string };
const PAO: Link = { url: 'https://pao.com.br/', title: 'Pão' };
const many = (count: number): Link[] =>
  Array.from({ length: count }, (_, n) => ({ url: `https://pao.com.br/${n}`, title: `Pão ${n}` }));
const SEND = 'select receive_mail($1, $2, $3, $4, $5, $6) as outcome';
type Mail = {
  key?: string;
  sender?: string;
  verified?: boolean;
  subject?: string;
  links?: readonly Link[];
  to?: string;
};
const valuesOf = ({
  key = 'm1',
  sender,
  verified = true,
  subject = 'Pão',
  links = [PAO],
  to = local,
}: Mail) => [to, key, sender ?? owner.email, verified, subject, JSON.stringify(links)];
const send = async (mail: Mail = {}) =>
  (await rowsOf('service_role', SEND, ...valuesOf(mail)))[0]?.['outcome'];

const links = async () =>
  (
    await rowsOf(
      owner,
      'select l.url, l.title, l.description, is_inbox(c) as inbox from links l join categories c on c.id = l.category_id order by l.created_at',
    )
  ).filter(({ url }) => String(url).startsWith('https://pao.com.br/'));
const refusals = () => rowsOf(owner, 'select sender, subject, reason from list_refused_mails()');

describe('a mail', () => {
  test('lands in the inbox, which is made for it, under its title and with what was said of it', async () => {
    expect(await send({ links: [{ ...PAO, description: 'De fermentação natural' }] })).toBe('saved');
    expect(await links()).toEqual([
      { url: 'https://pao.com.br/', title: 'Pão', description: 'De fermentação natural', inbox: true },
    ]);
    expect(await refusals()).toEqual([]);
  });

  test('to an address in capitals arrives: mail programs write it as they like', async () => {
    expect(await send({ to: local.toUpperCase() })).toBe('saved');
  });

  test('is saved once, however often its provider delivers it', async () => {
    expect(await send()).toBe('saved');
    expect(await send()).toBe('repeated');
    expect(await send({ key: 'm2' })).toBe('saved');
    expect(await links()).toHaveLength(2);
  });

  test('of which two copies come at once is saved once: the second waits for the first', async () => {
    const first = await database.callers.connect();
    try {
      await first.query('begin');
      await first.query(
        `select set_config('role', 'service_role', true), set_config('search_path', 'public', true)`,
      );
      await first.query(SEND, valuesOf({}));
      const second = send();
      await expect
        .poll(async () => {
          const { rowCount } = await database.admin.query(
            `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          );
          return rowCount;
        })
        .toBe(1);
      await first.query('commit');
      expect(await second).toBe('repeated');
    } finally {
      first.release(true);
    }
    expect(await links()).toHaveLength(1);
  });

  test('to no address, to one that is closed, banned or at rest, is told nothing', async () => {
    expect(await send({ to: 'a'.repeat(24) })).toBe('unknown_address');
    expect(await send({ to: '' })).toBe('unknown_address');
    await database.admin.query('update auth.users set banned_until = now() + $2::interval where id = $1', [
      owner.id,
      '1 hour',
    ]);
    expect(await send()).toBe('unknown_address');
    await database.admin.query('update auth.users set banned_until = null where id = $1', [owner.id]);
    await database.admin.query(
      `insert into private.account_closures (user_id, reason) values ($1, 'inactivity')`,
      [owner.id],
    );
    expect(await send()).toBe('unknown_address');
    await database.admin.query('update private.account_closures set reopened_at = now() where user_id = $1', [
      owner.id,
    ]);
    expect(await send()).toBe('saved');
  });

  test('that comes while the account is being deleted waits for that, and neither stops the other', async () => {
    const closing = await database.admin.connect();
    try {
      await closing.query('begin');
      await closing.query('select from auth.users where id = $1 for update', [owner.id]);
      const sent = send();
      await expect
        .poll(async () => {
          const { rowCount } = await database.admin.query(
            `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          );
          return rowCount;
        })
        .toBe(1);
      await closing.query('select public.close_account($1)', [owner.id]);
      await closing.query('commit');
      expect(await sent).toBe('unknown_address');
    } finally {
      closing.release(true);
    }
  });

  test('says nothing of somebody else: what arrives is its owner’s alone', async () => {
    const other = await createUser(database.admin);
    await send();
    expect(await rowsOf(other, 'select from links')).toEqual([]);
  });
});

describe('a sender', () => {
  test('who is not known is refused, seen by the owner once, and heard when allowed', async () => {
    const mail = { sender: 'Ana@Exemplo.com.br', subject: 'x'.repeat(300) };
    expect(await send(mail)).toBe('unknown_sender');
    expect(await send(mail)).toBe('unknown_sender');
    expect(await refusals()).toEqual([
      { sender: 'ana@exemplo.com.br', subject: 'x'.repeat(100), reason: 'unknown_sender' },
    ]);
    expect(await links()).toEqual([]);
    await rowsOf(owner, `select allow_mail_sender('ana@exemplo.com.br')`);
    expect(await send(mail)).toBe('saved');
    await rowsOf(owner, `select forbid_mail_sender('ana@exemplo.com.br')`);
    expect(await send({ ...mail, key: 'm2' })).toBe('unknown_sender');
  });

  test('who is known by name alone is refused: anybody can write it there', async () => {
    expect(await send({ verified: false })).toBe('unverified_sender');
    expect(await refusals()).toMatchObject([{ reason: 'unverified_sender' }]);
    expect(await links()).toEqual([]);
  });

  test('is anybody where the owner wants that', async () => {
    await rowsOf(owner, 'select allow_any_mail_sender(true)');
    expect(await send({ sender: 'qualquer@exemplo.com', verified: false })).toBe('saved');
    await rowsOf(owner, 'select allow_any_mail_sender(false)');
    expect(await send({ sender: 'qualquer@exemplo.com', key: 'm2' })).toBe('unknown_sender');
  });

  test('is not the account’s own address before that is confirmed', async () => {
    await database.admin.query('update auth.users set email_confirmed_at = null where id = $1', [owner.id]);
    expect(await send()).toBe('unknown_sender');
    expect(await rowsOf(owner, 'select own_sender from mail_address()')).toEqual([{ own_sender: null }]);
  });
});

describe('limits', () => {
  test('twenty links of a message; that there were more is said', async () => {
    await use({ plan: 'pro' });
    expect(await send({ links: many(21) })).toBe('saved');
    expect(await links()).toHaveLength(20);
    expect(await refusals()).toMatchObject([{ reason: 'too_many_links' }]);
    expect(await send({ links: many(21) })).toBe('repeated');
  });

  test('sixty messages in an hour', async () => {
    await use({ plan: 'pro' });
    await database.admin.query(
      `insert into private.saved_mails (user_id, message_key, saved_at)
       select $1, 'n' || n, now() - interval '59 minutes' from generate_series(1, 59) n`,
      [owner.id],
    );
    expect(await send({ key: 'sixtieth' })).toBe('saved');
    expect(await send({ key: 'one more' })).toBe('too_many_mails');
    expect(await refusals()).toMatchObject([{ reason: 'too_many_mails' }]);
    await database.admin.query(
      `update private.saved_mails set saved_at = now() - interval '61 minutes' where user_id = $1 and message_key = 'n1'`,
      [owner.id],
    );
    expect(await send({ key: 'one more' })).toBe('saved');
  });

  test('those of the plan: what has room is saved, the rest is said', async () => {
    const room = 20;
    expect(await send({ links: many(room - 1) })).toBe('saved');
    expect(await send({ key: 'm2', links: many(3) })).toBe('saved');
    expect(await links()).toHaveLength(room);
    expect(await send({ key: 'm3' })).toBe('plan_limit_links');
    expect((await refusals()).map(({ reason }) => reason)).toEqual(['plan_limit_links', 'plan_limit_links']);
  });

  test('a plan without room for the inbox', async () => {
    const { owner: person, folderId } = await createLibrary(database);
    await rowsOf(
      person,
      `insert into categories (name, folder_id) select 'C' || n, $1 from generate_series(1, 4) n`,
      folderId,
    );
    await use({}, person);
    expect(await send()).toBe('plan_limit_categories');
    expect(await refusals()).toMatchObject([{ reason: 'plan_limit_categories' }]);
  });

  test('what cannot be saved is left out; nothing is left: no link', async () => {
    const wrong = [
      { url: 'javascript:alert(1)', title: 'X' },
      { url: 'https://pao.com.br/', title: '' },
      { url: `https://pao.com.br/${'a'.repeat(500)}`, title: 'X' },
      { url: '', title: '' },
    ];
    expect(await send({ links: wrong })).toBe('no_link');
    expect(await send({ links: [] })).toBe('no_link');
    expect(await send({ links: [...wrong, PAO] })).toBe('saved');
    expect(await links()).toHaveLength(1);
  });

  test('twenty refusals are kept, the newest, for thirty days', async () => {
    for (let n = 1; n <= 22; n += 1) await send({ key: `m${n}`, sender: `p${n}@exemplo.com` });
    const senders = (await refusals()).map(({ sender }) => sender);
    expect(senders).toEqual(Array.from({ length: 20 }, (_, n) => `p${22 - n}@exemplo.com`));
    const kept = async () =>
      (await database.admin.query('select from private.refused_mails where user_id = $1', [owner.id]))
        .rowCount;
    expect(await kept()).toBe(20);
    await database.admin.query(
      `update private.refused_mails set refused_at = now() - interval '31 days' where user_id = $1 and sender <> 'p22@exemplo.com'`,
      [owner.id],
    );
    await database.admin.query(
      `insert into private.saved_mails (user_id, message_key, saved_at) values ($1, 'old', now() - interval '8 days')`,
      [owner.id],
    );
    expect(await refusals()).toHaveLength(1);
    await rowsOf('service_role', 'select finish_account_upkeep()');
    expect(await kept()).toBe(1);
    const old = await database.admin.query(`select from private.saved_mails where message_key = 'old'`);
    expect(old.rowCount).toBe(0);
  });

  test.each([
    ['no key', { key: '' }],
    ['a long key', { key: 'k'.repeat(101) }],
  ])('a message with %s is none', async (_what, mail) => {
    expect(await readOutcome(database, 'service_role', SEND, valuesOf(mail))).toEqual({ code: 'PT400' });
  });
});
