import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, setPlan } from '@linkoteca/test-kit/create-user';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCategory, createLibrary } from './support/create-library.ts';
import { type DailyMails, openDailyMails } from './support/daily-mails.ts';
import { inviteToFolder } from './support/share-folder.ts';

let database: ThrowawayDatabase;
let daily: DailyMails;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  daily = await openDailyMails(database);
});

describe('what the daily mail tells', () => {
  test('is what others added since it was switched on, by place, the newest five of each', async () => {
    const { owner, folderId, categoryId } = daily.library;
    await daily.add(owner, categoryId, 'L', 6);
    const sweets = await createCategory(database, owner, folderId, 'Doces');
    await daily.add(owner, sweets, 'Bolo');
    expect(await daily.claim(await daily.at(1))).toEqual([
      {
        id: expect.any(String),
        email: daily.ana.email,
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
    const { owner, folderId } = daily.library;
    for (let n = 1; n <= 12; n += 1)
      await daily.add(owner, await createCategory(database, owner, folderId, `C${n}`), 'L');
    const [mail] = await daily.claim(await daily.at(1));
    expect(mail?.news).toMatchObject({ places: 12, added: 12 });
    expect(mail?.news.shown.map(({ category }) => category)).toEqual(
      Array.from({ length: 10 }, (_, n) => `C${12 - n}`),
    );
  });

  test('is counted up to a hundred a place', async () => {
    await daily.add(daily.library.owner, daily.library.categoryId, 'L', 120);
    expect((await daily.claim(await daily.at(1)))[0]?.news).toMatchObject({
      added: 100,
      shown: [{ added: 100 }],
    });
  });

  test('is of two thousand places at most, so that nobody holds up the others', async () => {
    await daily.add(daily.library.owner, daily.library.categoryId, 'L');
    await database.admin.query(
      `with made as (
         insert into public.categories (name, folder_id, user_id) select 'C' || n, $1, $2 from generate_series(1, 2100) n returning id
       )
       insert into public.links (url, title, category_id, user_id) select 'https://n.br/', 'L', m.id, $2 from made m`,
      [daily.library.folderId, daily.library.owner.id],
    );
    expect((await daily.claim(await daily.at(1)))[0]?.news).toMatchObject({ places: 2_000, added: 2_000 });
  });

  test('is nothing that one adds oneself, that was there before, or that is deleted again', async () => {
    const { owner, categoryId } = daily.library;
    await daily.add(daily.ana, categoryId, 'Meu');
    await daily.add(owner, categoryId, 'Fica', 2);
    await daily.run(owner, `delete from links where title in ('Fica1', 'Exemplo')`);
    const [mail] = await daily.claim(await daily.at(1));
    expect(mail?.news.shown[0]).toMatchObject({ added: 1, links: [{ title: 'Fica2' }] });
  });

  test('is to an owner what members added to their folders, and not what they added themselves', async () => {
    const { owner, categoryId } = daily.library;
    await daily.turn(owner, true);
    await daily.add(owner, categoryId, 'Dela');
    await daily.add(daily.ana, categoryId, 'Da Ana');
    const mails = await daily.claim(await daily.at(1));
    const ofOwner = mails.find(({ email }) => email === owner.email);
    expect(ofOwner?.news).toMatchObject({
      added: 1,
      shown: [{ category: 'Leituras', folder: 'Trabalho', added: 1, links: [{ title: 'Da Ana1' }] }],
    });
    expect(mails.find(({ email }) => email === daily.ana.email)?.news.shown[0]?.links).toMatchObject([
      { title: 'Dela1' },
    ]);
  });

  test('names no folder to whom one category of it is shared with', async () => {
    const guest = await createUser(database.admin);
    await daily.turn(guest, true);
    await daily.run(daily.library.owner, 'select save_sharing($1, false, $2)', daily.library.categoryId, [
      guest.email,
    ]);
    await daily.add(daily.library.owner, daily.library.categoryId, 'L');
    const mail = (await daily.claim(await daily.at(1))).find(({ email }) => email === guest.email);
    expect(mail?.news.shown).toMatchObject([{ category: 'Leituras', folder: null, added: 1 }]);
  });

  test('is of each folder once, since one came to it', async () => {
    const other = await createLibrary(database, { plan: 'pro' });
    await daily.add(other.owner, other.categoryId, 'Antes');
    await inviteToFolder(database, other.owner, other.folderId, daily.ana.email, 'viewer');
    await daily.add(daily.library.owner, daily.library.categoryId, 'L');
    await daily.add(other.owner, other.categoryId, 'M');
    expect((await daily.claim(await daily.at(1)))[0]?.news).toMatchObject({
      places: 2,
      added: 2,
      shown: [{ links: [{ title: 'M1' }] }, { links: [{ title: 'L1' }] }],
    });
  });

  test('is nothing one day, and what has come since the next', async () => {
    expect(await daily.send(await daily.at(1))).toEqual([]);
    await database.admin.query('update private.daily_mails set told_until = now()');
    await daily.add(daily.library.owner, daily.library.categoryId, 'L');
    expect(await daily.send(await daily.at(1, '23:00'))).toEqual([]);
    expect(await daily.send(await daily.at(2))).toEqual([daily.ana.email]);
  });

  test('is nothing that stood there when somebody came', async () => {
    const { owner, folderId, categoryId } = daily.library;
    const late = await createUser(database.admin);
    await daily.turn(late, true);
    await daily.add(owner, categoryId, 'Antes');
    await inviteToFolder(database, owner, folderId, late.email, 'viewer');
    await daily.add(owner, categoryId, 'Depois');
    const mail = (await daily.claim(await daily.at(1))).find(({ email }) => email === late.email);
    expect(mail?.news.shown[0]).toMatchObject({ added: 1, links: [{ title: 'Depois1' }] });
  });

  test('waits a day when it was added within the last five minutes, and is then told once', async () => {
    await daily.add(daily.library.owner, daily.library.categoryId, 'L');
    await database.admin.query(`update private.daily_mails set next_attempt_at = now()`);
    const now = new Date();
    expect(await daily.claim(now)).toEqual([]);
    expect(await daily.send(await daily.at(1))).toEqual([daily.ana.email]);
    expect(await daily.send(await daily.at(2))).toEqual([]);
  });
});

describe('the daily mail goes to nobody', () => {
  const silent = async () => expect(await daily.claim(await daily.at(1))).toEqual([]);
  beforeEach(() => daily.add(daily.library.owner, daily.library.categoryId, 'Segredo'));

  test('who was removed from the folder', async () => {
    await daily.run(daily.library.owner, 'delete from folder_members where email = $1', daily.ana.email);
    await silent();
  });

  test('about a category that is held back, and tells of it once it is not', async () => {
    await daily.run(
      daily.library.owner,
      'update categories set is_held_back = true where id = $1',
      daily.library.categoryId,
    );
    await silent();
    await database.admin.query(
      `update private.daily_mails set told_until = now() - interval '1 hour', next_attempt_at = now()`,
    );
    await daily.run(
      daily.library.owner,
      'update categories set is_held_back = false where id = $1',
      daily.library.categoryId,
    );
    expect(await daily.claim(await daily.at(1))).toHaveLength(1);
  });

  test('whose plan does not open it', async () => {
    const guest = await createUser(database.admin);
    await daily.turn(guest, true);
    const second = await createCategory(database, daily.library.owner, daily.library.folderId, 'Segunda');
    for (const id of [daily.library.categoryId, second])
      await daily.run(daily.library.owner, 'select save_sharing($1, false, $2)', id, [guest.email]);
    for (const id of [daily.library.categoryId, second]) await daily.add(daily.library.owner, id, 'L');
    const shownTo = async () =>
      (await daily.claim(await daily.at(1)))
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
    await database.admin.query(change, [daily.ana.id]);
    await silent();
  });

  test('about the folders of a closed account', async () => {
    await database.admin.query(
      `insert into private.account_closures (user_id, reason) values ($1, 'inactivity')`,
      [daily.library.owner.id],
    );
    await silent();
  });

  test('an owner about a folder that they share with nobody any more', async () => {
    const { owner, folderId, categoryId } = daily.library;
    await daily.turn(owner, true);
    await daily.add(daily.ana, categoryId, 'Da Ana');
    await daily.run(owner, 'delete from folder_members where folder_id = $1', folderId);
    await silent();
  });

  test('an owner whose folder nobody shares, nor who has only switched it on', async () => {
    const alone = await createLibrary(database);
    await daily.turn(alone.owner, true);
    await daily.add(alone.owner, alone.categoryId, 'L');
    expect(await daily.send(await daily.at(1))).toEqual([daily.ana.email]);
  });

  test('a stranger, whose mail tells of their own places alone', async () => {
    const other = await createLibrary(database, { plan: 'pro' });
    const guest = await createUser(database.admin);
    await inviteToFolder(database, other.owner, other.folderId, guest.email, 'viewer');
    await daily.turn(guest, true);
    await daily.add(other.owner, other.categoryId, 'Deles');
    const mail = (await daily.claim(await daily.at(1))).find(({ email }) => email === guest.email);
    expect(JSON.stringify(mail)).not.toContain('Segredo');
    expect(mail?.news).toMatchObject({ places: 1, added: 1 });
  });
});
