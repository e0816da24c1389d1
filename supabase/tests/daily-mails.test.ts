import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, setPlan, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';
import { inviteToFolder } from './support/share-folder.ts';

let database: ThrowawayDatabase;
let library: Library;
/** A member of the folder who has switched the mail on. */
let ana: TestUser;
let today: string;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.admin.query('truncate private.daily_mails, private.share_mail_addresses');
  library = await createLibrary(database, { plan: 'pro', name: 'Marta' });
  ana = await createUser(database.admin, { name: 'Ana' });
  await inviteToFolder(database, library.owner, library.folderId, ana.email, 'editor');
  await turn(ana, true);
  const { rows } = await database.admin.query<{ day: string }>(
    'select (private.brasilia_day(due_at) - 1)::text as day from private.daily_mails',
  );
  today = rows[0]?.day ?? '';
});

type News = {
  readonly places: number;
  readonly added: number;
  readonly shown: readonly {
    readonly category_id: string;
    readonly category: string;
    readonly folder: string | null;
    readonly added: number;
    readonly links: readonly { readonly title: string; readonly url: string }[];
  }[];
};
type Due = {
  readonly id: string;
  readonly email: string;
  readonly news: News;
  readonly unsubscribe_token: string;
};

const run = (caller: TestCaller, text: string, ...values: unknown[]) =>
  queryAs<Record<string, unknown>>(database, caller, text, values);
const value = async (caller: TestCaller, call: string, ...values: unknown[]) =>
  (await run(caller, `select ${call} as value`, ...values)).rows[0]?.['value'];
const turn = (caller: TestCaller, enabled: boolean | null) =>
  run(caller, 'select set_daily_mail($1)', enabled);
const isOn = (caller: TestCaller) => value(caller, 'daily_mail()');
const add = (caller: TestCaller, categoryId: string, title: string, times = 1) =>
  run(
    caller,
    `insert into links (url, title, category_id) select 'https://n.br/' || n, $2 || n, $1 from generate_series(1, $3::int) n`,
    categoryId,
    title,
    times,
  );

/** So many days after the mail was switched on in São Paulo, at this time there. */
const at = async (days: number, time = '08:00') =>
  (
    await database.admin.query<{ moment: Date }>(
      `select ($1::date + $2::int + $3::time) at time zone 'America/Sao_Paulo' as moment`,
      [today, days, time],
    )
  ).rows[0]?.moment as Date;
const claim = async (moment: Date, max = 10) =>
  (await queryAs<Due>(database, 'service_role', 'select * from claim_daily_mails($1, $2)', [max, moment]))
    .rows;
const begin = (id: string | undefined, moment: Date) =>
  value('service_role', 'begin_daily_mail($1, $2)', id, moment);
const finish = (id: string | undefined, outcome: string, moment: Date) =>
  value('service_role', 'finish_daily_mail($1, $2, $3)', id, outcome, moment);
/** Sends what is due at that moment. @returns the receivers' addresses. */
async function send(moment: Date): Promise<readonly string[]> {
  const mails = await claim(moment);
  for (const { id } of mails) {
    expect(await begin(id, moment)).toBe(true);
    expect(await finish(id, 'sent', moment)).toBe(true);
  }
  return mails.map(({ email }) => email);
}

describe('what the daily mail tells', () => {
  test('is what others added since it was switched on, by place, the newest five of each', async () => {
    const { owner, folderId, categoryId } = library;
    await add(owner, categoryId, 'L', 6);
    const sweets = await createCategory(database, owner, folderId, 'Doces');
    await add(owner, sweets, 'Bolo');
    expect(await claim(await at(1))).toEqual([
      {
        id: expect.any(String),
        email: ana.email,
        unsubscribe_token: expect.any(String),
        news: {
          places: 2,
          added: 7,
          shown: [
            {
              category_id: sweets,
              category: 'Doces',
              folder: 'Trabalho',
              added: 1,
              links: [{ title: 'Bolo1', url: 'https://n.br/1' }],
            },
            {
              category_id: categoryId,
              category: 'Leituras',
              folder: 'Trabalho',
              added: 6,
              links: [6, 5, 4, 3, 2].map((n) => ({ title: `L${n}`, url: `https://n.br/${n}` })),
            },
          ],
        },
      },
    ]);
  });

  test('is of ten places, and of how many there are', async () => {
    const { owner, folderId } = library;
    for (let n = 1; n <= 12; n += 1)
      await add(owner, await createCategory(database, owner, folderId, `C${n}`), 'L');
    const [mail] = await claim(await at(1));
    expect(mail?.news).toMatchObject({ places: 12, added: 12 });
    expect(mail?.news.shown.map(({ category }) => category)).toEqual(
      Array.from({ length: 10 }, (_, n) => `C${12 - n}`),
    );
  });

  test('is counted up to a hundred a place', async () => {
    await add(library.owner, library.categoryId, 'L', 120);
    expect((await claim(await at(1)))[0]?.news).toMatchObject({ added: 100, shown: [{ added: 100 }] });
  });

  test('is of two thousand places at most, so that nobody holds up the others', async () => {
    await add(library.owner, library.categoryId, 'L');
    await database.admin.query(
      `with made as (
         insert into public.categories (name, folder_id, user_id) select 'C' || n, $1, $2 from generate_series(1, 2100) n returning id
       )
       insert into public.links (url, title, category_id, user_id) select 'https://n.br/', 'L', m.id, $2 from made m`,
      [library.folderId, library.owner.id],
    );
    expect((await claim(await at(1)))[0]?.news).toMatchObject({ places: 2_000, added: 2_000 });
  });

  test('is nothing that one adds oneself, that was there before, or that is deleted again', async () => {
    const { owner, categoryId } = library;
    await add(ana, categoryId, 'Meu');
    await add(owner, categoryId, 'Fica', 2);
    await run(owner, `delete from links where title in ('Fica1', 'Exemplo')`);
    const [mail] = await claim(await at(1));
    expect(mail?.news.shown[0]).toMatchObject({ added: 1, links: [{ title: 'Fica2' }] });
  });

  test('is to an owner what members added to their folders, and not what they added themselves', async () => {
    const { owner, categoryId } = library;
    await turn(owner, true);
    await add(owner, categoryId, 'Dela');
    await add(ana, categoryId, 'Da Ana');
    const mails = await claim(await at(1));
    const ofOwner = mails.find(({ email }) => email === owner.email);
    expect(ofOwner?.news).toMatchObject({
      added: 1,
      shown: [{ category: 'Leituras', folder: 'Trabalho', added: 1, links: [{ title: 'Da Ana1' }] }],
    });
    expect(mails.find(({ email }) => email === ana.email)?.news.shown[0]?.links).toMatchObject([
      { title: 'Dela1' },
    ]);
  });

  test('names no folder to whom one category of it is shared with', async () => {
    const guest = await createUser(database.admin);
    await turn(guest, true);
    await run(library.owner, 'select save_sharing($1, false, $2)', library.categoryId, [guest.email]);
    await add(library.owner, library.categoryId, 'L');
    const mail = (await claim(await at(1))).find(({ email }) => email === guest.email);
    expect(mail?.news.shown).toMatchObject([{ category: 'Leituras', folder: null, added: 1 }]);
  });

  test('is of each folder once, since one came to it', async () => {
    const other = await createLibrary(database, { plan: 'pro' });
    await add(other.owner, other.categoryId, 'Antes');
    await inviteToFolder(database, other.owner, other.folderId, ana.email, 'viewer');
    await add(library.owner, library.categoryId, 'L');
    await add(other.owner, other.categoryId, 'M');
    expect((await claim(await at(1)))[0]?.news).toMatchObject({
      places: 2,
      added: 2,
      shown: [{ links: [{ title: 'M1' }] }, { links: [{ title: 'L1' }] }],
    });
  });

  test('is nothing one day, and what has come since the next', async () => {
    expect(await send(await at(1))).toEqual([]);
    await database.admin.query('update private.daily_mails set told_until = now()');
    await add(library.owner, library.categoryId, 'L');
    expect(await send(await at(1, '23:00'))).toEqual([]);
    expect(await send(await at(2))).toEqual([ana.email]);
  });

  test('is nothing that stood there when somebody came', async () => {
    const { owner, folderId, categoryId } = library;
    const late = await createUser(database.admin);
    await turn(late, true);
    await add(owner, categoryId, 'Antes');
    await inviteToFolder(database, owner, folderId, late.email, 'viewer');
    await add(owner, categoryId, 'Depois');
    const mail = (await claim(await at(1))).find(({ email }) => email === late.email);
    expect(mail?.news.shown[0]).toMatchObject({ added: 1, links: [{ title: 'Depois1' }] });
  });

  test('waits a day when it was added within the last five minutes, and is then told once', async () => {
    await add(library.owner, library.categoryId, 'L');
    await database.admin.query(`update private.daily_mails set next_attempt_at = now()`);
    const now = new Date();
    expect(await claim(now)).toEqual([]);
    expect(await send(await at(1))).toEqual([ana.email]);
    expect(await send(await at(2))).toEqual([]);
  });
});

describe('the daily mail goes to nobody', () => {
  const silent = async () => expect(await claim(await at(1))).toEqual([]);
  beforeEach(() => add(library.owner, library.categoryId, 'Segredo'));

  test('who was removed from the folder', async () => {
    await run(library.owner, 'delete from folder_members where email = $1', ana.email);
    await silent();
  });

  test('about a category that is held back, and tells of it once it is not', async () => {
    await run(library.owner, 'update categories set is_held_back = true where id = $1', library.categoryId);
    await silent();
    await database.admin.query(
      `update private.daily_mails set told_until = now() - interval '1 hour', next_attempt_at = now()`,
    );
    await run(library.owner, 'update categories set is_held_back = false where id = $1', library.categoryId);
    expect(await claim(await at(1))).toHaveLength(1);
  });

  test('whose plan does not open it', async () => {
    const guest = await createUser(database.admin);
    await turn(guest, true);
    const second = await createCategory(database, library.owner, library.folderId, 'Segunda');
    for (const id of [library.categoryId, second])
      await run(library.owner, 'select save_sharing($1, false, $2)', id, [guest.email]);
    for (const id of [library.categoryId, second]) await add(library.owner, id, 'L');
    const shownTo = async () =>
      (await claim(await at(1)))
        .find(({ email }) => email === guest.email)
        ?.news.shown.map(({ category }) => category);
    expect(await shownTo()).toEqual(['Leituras']);
    await setPlan(database.admin, guest.id, 'plus');
    await database.admin.query(
      'update private.daily_mails set mail_id = null, window_end = null, content_hash = null, leased_until = null',
    );
    expect(await shownTo()).toEqual(['Segunda', 'Leituras']);
  });

  test.each([
    ['a banned account', `update auth.users set banned_until = now() + interval '2 days' where id = $1`],
    ['a deleted account', `update auth.users set deleted_at = now() where id = $1`],
    ['an address that nobody has confirmed', `update auth.users set email_confirmed_at = null where id = $1`],
    ['an account without an address', `update auth.users set email = null where id = $1`],
    ['a closed account', `insert into private.account_closures (user_id, reason) values ($1, 'inactivity')`],
    ['who has switched it off', `delete from private.daily_mails where user_id = $1`],
  ])('%s', async (_who, change) => {
    await database.admin.query(change, [ana.id]);
    await silent();
  });

  test('about the folders of a closed account', async () => {
    await database.admin.query(
      `insert into private.account_closures (user_id, reason) values ($1, 'inactivity')`,
      [library.owner.id],
    );
    await silent();
  });

  test('an owner whose folder nobody shares, nor who has only switched it on', async () => {
    const alone = await createLibrary(database);
    await turn(alone.owner, true);
    await add(alone.owner, alone.categoryId, 'L');
    expect(await send(await at(1))).toEqual([ana.email]);
  });

  test('a stranger, whose mail tells of their own places alone', async () => {
    const other = await createLibrary(database, { plan: 'pro' });
    const guest = await createUser(database.admin);
    await inviteToFolder(database, other.owner, other.folderId, guest.email, 'viewer');
    await turn(guest, true);
    await add(other.owner, other.categoryId, 'Deles');
    const mail = (await claim(await at(1))).find(({ email }) => email === guest.email);
    expect(JSON.stringify(mail)).not.toContain('Segredo');
    expect(mail?.news).toMatchObject({ places: 1, added: 1 });
  });
});

describe('a daily mail', () => {
  beforeEach(() => add(library.owner, library.categoryId, 'L'));

  test('goes from eight in the morning in São Paulo on, once a day', async () => {
    expect(await send(await at(1, '07:59'))).toEqual([]);
    expect(await send(await at(1))).toEqual([ana.email]);
    await database.admin.query(`update private.daily_mails set told_until = now() - interval '1 hour'`);
    for (const [days, time] of [
      [1, '08:01'],
      [1, '23:59'],
      [2, '00:30'],
      [2, '07:59'],
    ] as const)
      expect(await send(await at(days, time))).toEqual([]);
    expect(await send(await at(2))).toEqual([ana.email]);
  });

  test('goes the next morning when it goes late in the evening', async () => {
    expect(await send(await at(1, '23:59'))).toEqual([ana.email]);
    await database.admin.query(`update private.daily_mails set told_until = now() - interval '1 hour'`);
    expect(await send(await at(2))).toEqual([ana.email]);
  });

  test('is claimed by one of two at once', async () => {
    const moment = await at(1);
    const claimed = await Promise.all([claim(moment), claim(moment), claim(moment)]);
    expect(claimed.flat()).toHaveLength(1);
  });

  test('begins once, and is not told twice when nobody knows what became of it', async () => {
    const moment = await at(1);
    const [mail] = await claim(moment);
    expect([await begin(mail?.id, moment), await begin(mail?.id, moment)]).toEqual([true, false]);
    expect(await claim(await at(1, '08:04'))).toEqual([]);
    expect(await claim(await at(1, '08:06'))).toEqual([]);
    expect(await finish(mail?.id, 'retry', await at(1, '08:07'))).toBe(false);
    const { rows } = await database.admin.query(
      'select due_at, next_attempt_at, attempts from private.daily_mails',
    );
    expect(rows).toEqual([{ due_at: await at(2), next_attempt_at: await at(2), attempts: 0 }]);
    expect(await claim(await at(2))).toEqual([]);
  });

  test('is claimed anew when whoever claimed it died before it began', async () => {
    const [mail] = await claim(await at(1));
    expect(await begin(mail?.id, await at(1, '08:06'))).toBe(false);
    const [anew] = await claim(await at(1, '08:06'));
    expect(anew).toEqual(mail);
    const { rows } = await database.admin.query('select due_at, attempts from private.daily_mails');
    expect(rows).toEqual([{ due_at: await at(1), attempts: 2 }]);
    expect(await begin(mail?.id, await at(1, '08:06'))).toBe(true);
  });

  test('does not begin when it is not what may be read any more, and is made anew', async () => {
    const moment = await at(1);
    const [mail] = await claim(moment);
    await run(library.owner, `update links set title = 'Outro' where title = 'L1'`);
    expect(await begin(mail?.id, moment)).toBe(false);
    const [anew] = await claim(moment);
    expect(anew?.news.shown[0]?.links).toMatchObject([{ title: 'Outro' }]);
    await run(library.owner, 'delete from folder_members where email = $1', ana.email);
    expect(await begin(anew?.id, moment)).toBe(false);
    expect(await claim(moment)).toEqual([]);
  });

  test.each([
    ['unsubscribed', `update private.daily_mails set unsubscribed_at = now() where user_id = $1`],
    ['switched off', `delete from private.daily_mails where user_id = $1`],
    ['at another address', `update auth.users set email = 'outra-' || email where id = $1`],
  ])('does not begin to whoever is %s meanwhile', async (_what, change) => {
    const moment = await at(1);
    const [mail] = await claim(moment);
    await database.admin.query(change, [ana.id]);
    expect(await begin(mail?.id, moment)).toBe(false);
  });

  test('that the mail server put off goes later under its id, not before eight; what has come since is of the next morning', async () => {
    const evening = await at(1, '23:59');
    const [mail] = await claim(evening);
    await begin(mail?.id, evening);
    expect(await finish(mail?.id, 'retry', evening)).toBe(true);
    expect(await claim(await at(2, '07:59'))).toEqual([]);
    const [again] = await claim(await at(2));
    expect(again).toEqual(mail);
    await begin(again?.id, await at(2));
    expect(await finish(again?.id, 'retry', await at(2))).toBe(true);
    expect(await finish(again?.id, 'sent', await at(2))).toBe(false);
    expect(await claim(await at(2, '08:01'))).toEqual([]);
    await database.admin.query('update private.daily_mails set window_end = clock_timestamp()');
    await add(library.owner, library.categoryId, 'M');
    const [later] = await claim(await at(2, '08:02'));
    expect(later).toEqual(mail);
    await begin(later?.id, await at(2, '08:02'));
    expect(await finish(later?.id, 'refused', await at(2, '08:02'))).toBe(true);
    const [next] = await claim(await at(3));
    expect(next?.id).not.toBe(mail?.id);
    expect(next?.news).toMatchObject({ added: 1, shown: [{ links: [{ title: 'M1' }] }] });
  });

  test('that was put off and tells of nothing any more is none', async () => {
    const moment = await at(1);
    const [mail] = await claim(moment);
    await begin(mail?.id, moment);
    await finish(mail?.id, 'retry', moment);
    await run(library.owner, `delete from links where title = 'L1'`);
    expect(await claim(await at(1, '08:02'))).toEqual([]);
    const { rows } = await database.admin.query('select mail_id, attempts from private.daily_mails');
    expect(rows).toEqual([{ mail_id: null, attempts: 0 }]);
  });

  test('is its receiver’s alone: of two each has a key, a beginning and an outcome', async () => {
    const bia = await createUser(database.admin);
    await inviteToFolder(database, library.owner, library.folderId, bia.email, 'viewer');
    await turn(bia, true);
    await add(library.owner, library.categoryId, 'M');
    const moment = await at(1);
    const mails = await claim(moment);
    const ofAna = mails.find(({ email }) => email === ana.email);
    const ofBia = mails.find(({ email }) => email === bia.email);
    expect(mails).toHaveLength(2);
    expect(new Set(mails.map((mail) => mail.unsubscribe_token)).size).toBe(2);
    expect(await begin(ofAna?.id, moment)).toBe(true);
    expect(await finish(ofAna?.id, 'sent', moment)).toBe(true);
    expect(await begin(ofBia?.id, moment)).toBe(true);
    await value('service_role', 'unsubscribe_daily_mail($1, true)', ofBia?.unsubscribe_token);
    expect([await isOn(ana), await isOn(bia)]).toEqual([true, false]);
    await turn(ana, false);
    const { rows } = await database.admin.query('select user_id from private.daily_mails');
    expect(rows).toEqual([{ user_id: bia.id }]);
  });

  test.each([
    'mail_id = gen_random_uuid()',
    'window_end = now()',
    `leased_until = now(), content_hash = ''`,
    `mail_id = gen_random_uuid(), window_end = now(), leased_until = now()`,
    'started_at = now()',
  ])('is nothing by halves: %s', async (change) => {
    await expect(database.admin.query(`update private.daily_mails set ${change}`)).rejects.toMatchObject({
      code: '23514',
    });
  });

  test('has an outcome that is known', async () => {
    await expect(finish(ana.id, 'lost', new Date())).rejects.toMatchObject({ code: 'PT400' });
    expect(await finish(ana.id, 'sent', new Date())).toBe(false);
  });

  test('is claimed as often as is asked, and of many people a hundred are looked at', async () => {
    await database.admin.query(
      `with made as (
         insert into auth.users (instance_id, id, aud, role, email, email_confirmed_at, created_at, updated_at)
         select '00000000-0000-0000-0000-000000000000', gen_random_uuid(), 'authenticated', 'authenticated',
           gen_random_uuid() || '@m.br', now(), now(), now() from generate_series(1, 120) returning id
       )
       insert into private.daily_mails (user_id, due_at, next_attempt_at) select id, now(), now() from made`,
    );
    const moment = await at(1);
    const waiting = async () =>
      (
        await database.admin.query<{ waiting: number }>(
          'select count(*)::int as waiting from private.daily_mails where next_attempt_at <= $1',
          [moment],
        )
      ).rows[0]?.waiting;
    expect(await claim(moment, 0)).toEqual([]);
    expect(await waiting()).toBe(121);
    expect(await claim(moment)).toEqual([]);
    // Fewer where the machine is slow: two seconds are enough for one call.
    expect(await waiting()).toBeGreaterThanOrEqual(21);
    let mails: readonly Due[] = [];
    while (mails.length === 0 && Number(await waiting()) > 0) mails = await claim(moment, 1);
    expect(mails.map(({ email }) => email)).toEqual([ana.email]);
  });

  test('is asked for by an index', async () => {
    const client = await database.admin.connect();
    try {
      await client.query('begin; set local enable_seqscan = off');
      const { rows } = await client.query<Record<'QUERY PLAN', string>>(
        `explain select from private.daily_mails d where d.unsubscribed_at is null and d.next_attempt_at <= now()`,
      );
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('daily_mails_due');
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  test('leaves the caller’s claims as they were', async () => {
    const moment = await at(1);
    const { rows } = await run(
      'service_role',
      `select count(*)::int as mails, max(auth.role()) as role, max(auth.uid()::text) as person from claim_daily_mails(10, $1)`,
      moment,
    );
    expect(rows).toEqual([{ mails: 1, role: 'service_role', person: null }]);
  });
});

describe('the switch', () => {
  test('is off until somebody turns it, and theirs alone', async () => {
    const bia = await createUser(database.admin);
    expect([await isOn(ana), await isOn(bia)]).toEqual([true, false]);
    await turn(bia, false);
    expect([await isOn(ana), await isOn(bia)]).toEqual([true, false]);
    await turn(ana, false);
    expect(await isOn(ana)).toBe(false);
    for (const call of ['daily_mail()', 'set_daily_mail(true)'])
      await expect(value('anon', call)).rejects.toMatchObject({ code: '42501' });
    await expect(turn(ana, null)).rejects.toMatchObject({ code: 'PT400' });
  });

  test('brings the first mail the next morning, of what came since, however often it is turned', async () => {
    await add(library.owner, library.categoryId, 'Antes');
    await turn(ana, false);
    await turn(ana, true);
    expect(await claim(await at(0, '23:59'))).toEqual([]);
    expect(await send(await at(1))).toEqual([]);
  });

  test('turned on where it is on, loses nothing', async () => {
    await add(library.owner, library.categoryId, 'Antes');
    await turn(ana, true);
    expect(await send(await at(1))).toEqual([ana.email]);
  });

  test('is forgotten with the account', async () => {
    await database.admin.query('delete from auth.users where id = $1', [ana.id]);
    expect((await database.admin.query('select from private.daily_mails')).rowCount).toBe(0);
  });
});

describe('the key of a mail', () => {
  const keyOf = async () => {
    await add(library.owner, library.categoryId, 'L');
    return (await claim(await at(1)))[0]?.unsubscribe_token;
  };
  const unsubscribe = (key: string | undefined, stop: boolean | null) =>
    value('service_role', 'unsubscribe_daily_mail($1, $2)', key, stop);

  test('ends the daily mail alone, as often as it is used, and brings it back', async () => {
    const key = await keyOf();
    for (let times = 0; times < 2; times += 1) expect(await unsubscribe(key, true)).toBe(ana.email);
    expect(await isOn(ana)).toBe(false);
    const { rows } = await database.admin.query('select unsubscribed_at from private.share_mail_addresses');
    expect(rows).toEqual([{ unsubscribed_at: null }]);
    expect(await unsubscribe(key, false)).toBe(ana.email);
    expect(await isOn(ana)).toBe(true);
    // What came while it was off is not told.
    await add(library.owner, library.categoryId, 'M');
    expect((await claim(await at(1)))[0]?.news).toMatchObject({ added: 1 });
  });

  test('turns on nothing that was switched off in the profile', async () => {
    const key = await keyOf();
    await turn(ana, false);
    expect(await unsubscribe(key, false)).toBeNull();
    expect(await isOn(ana)).toBe(false);
    expect(await unsubscribe(key, true)).toBe(ana.email);
  });

  test('is of an address: it says nothing of another that the account has now', async () => {
    const key = await keyOf();
    await database.admin.query(`update auth.users set email = 'nova-' || email where id = $1`, [ana.id]);
    expect(await unsubscribe(key, true)).toBe(ana.email);
    expect(await isOn(ana)).toBe(true);
    expect(await unsubscribe(key, false)).toBeNull();
  });

  test('that nobody has changes nothing, and people do not call it', async () => {
    expect(await unsubscribe('00000000-0000-4000-8000-000000000000', true)).toBeNull();
    expect(await isOn(ana)).toBe(true);
    for (const call of [
      'unsubscribe_daily_mail(gen_random_uuid())',
      'claim_daily_mails()',
      'begin_daily_mail(gen_random_uuid())',
      `finish_daily_mail(gen_random_uuid(), 'sent')`,
    ])
      for (const who of [ana, 'anon'] as const)
        await expect(value(who, call)).rejects.toMatchObject({ code: '42501' });
  });
});
