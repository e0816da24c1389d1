import { claimsOf } from '@linkoteca/test-kit/claims-of';
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
let mine: Library;
let guest: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  mine = await createLibrary(database, { plan: 'plus' });
  guest = await createUser(database.admin);
  stranger = await createUser(database.admin);
});

const nameOf = ({ owner, linkId } = mine) => `${owner.id}/covers/${linkId}`;
const run = (text: string, ...values: unknown[]) => queryAs(database, mine.owner, text, values);
const note = (caller: TestCaller, state: unknown, linkId = mine.linkId) =>
  readOutcome(database, caller, 'select note_cover($1, $2)', [linkId, state]);
const store = (name = nameOf()) =>
  run(
    `insert into storage.objects (bucket_id, name, owner_id, metadata) values ('arquivos', $1, $2, '{"size": 20000}')`,
    name,
    mine.owner.id,
  );
async function giveCover(): Promise<void> {
  await store();
  expect(await note(mine.owner, 'image')).toEqual({ rows: 1 });
}
async function readCovers(caller: TestCaller, categoryId = mine.categoryId): Promise<readonly unknown[]> {
  const { rows } = await queryAs(database, caller, 'select state, path from category_covers($1, $2)', [
    categoryId,
    [mine.linkId],
  ]);
  return rows;
}
/** What the storage service finds for a request to this path: a download asks for one name, a list for all. */
async function readNames(caller: TestCaller, path: string, method = 'GET'): Promise<readonly string[]> {
  const client = await database.callers.connect();
  const role = typeof caller === 'string' ? caller : 'authenticated';
  const claims = typeof caller === 'string' ? { role } : claimsOf(caller);
  try {
    await client.query('begin');
    await client.query(
      `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
         set_config('request.path', $3, true), set_config('request.method', $4, true)`,
      [role, JSON.stringify(claims), path, method],
    );
    const { rows } = await client.query<{ name: string }>('select name from storage.objects order by name');
    return rows.map(({ name }) => name);
  } finally {
    await client.query('rollback');
    client.release();
  }
}
const download = (caller: TestCaller, name = nameOf()) =>
  readNames(caller, `/storage/v1/object/authenticated/arquivos/${name}`);
const IMAGE = () => [{ state: 'image', path: nameOf() }];
const invite = () =>
  run('insert into shared_with (category_id, email) values ($1, $2)', mine.categoryId, guest.email);
const publish = (isPublic: boolean) =>
  run('update categories set is_public = $2 where id = $1', mine.categoryId, isPublic);

describe('one’s own cover', () => {
  test('is noted, told with its path, and read', async () => {
    expect(await readCovers(mine.owner)).toEqual([]);
    await giveCover();
    expect(await readCovers(mine.owner)).toEqual(IMAGE());
    expect(await download(mine.owner)).toEqual([nameOf()]);
  });

  test('is none without its file, and none of another kind', async () => {
    expect(await note(mine.owner, 'image')).toMatchObject({ code: 'PT404' });
    await store(`${mine.owner.id}/covers/${mine.categoryId}`);
    expect(await note(mine.owner, 'image')).toMatchObject({ code: 'PT404' });
    await database.admin.query(
      `insert into storage.buckets (id, name) values ('alheio', 'alheio') on conflict do nothing`,
    );
    await database.admin.query(`insert into storage.objects (bucket_id, name) values ('alheio', $1)`, [
      nameOf(),
    ]);
    expect(await note(mine.owner, 'image')).toMatchObject({ code: 'PT404' });
    for (const state of ['old', 'x', '', null])
      expect(await note(mine.owner, state)).toMatchObject({ code: 'PT400' });
    const write = 'insert into private.link_covers (link_id, user_id, state) values ($1, $2, $3)';
    await expect(database.admin.query(write, [mine.linkId, mine.owner.id, 'x'])).rejects.toMatchObject({
      code: '23514',
    });
    expect(await readCovers(mine.owner)).toEqual([]);
  });

  test('may be what the page has not, or what its owner does not want', async () => {
    for (const state of ['none', 'removed']) {
      expect(await note(mine.owner, state)).toEqual({ rows: 1 });
      expect(await readCovers(mine.owner)).toEqual([{ state, path: null }]);
    }
    expect((await run('select * from category_covers($1, $2)', mine.categoryId, [])).rows).toEqual([]);
  });

  test('is asked for with its category, a thousand at a time', async () => {
    await giveCover();
    const other = await createCategory(database, mine.owner, mine.folderId, 'Outra');
    expect(await readCovers(mine.owner, other)).toEqual([]);
    const ids = (count: number) => Array.from({ length: count }, () => mine.linkId);
    const READ = 'select * from category_covers($1, $2)';
    expect(await readOutcome(database, mine.owner, READ, [mine.categoryId, ids(1000)])).toEqual({ rows: 1 });
    expect(await readOutcome(database, mine.owner, READ, [mine.categoryId, ids(1001)])).toMatchObject({
      code: 'PT400',
    });
  });

  test('stays with a link that is moved, and counts as nothing for one that leads elsewhere', async () => {
    await giveCover();
    const other = await createCategory(database, mine.owner, mine.folderId, 'Outra');
    await run('update links set category_id = $2, title = $3 where id = $1', mine.linkId, other, 'Novo');
    expect(await readCovers(mine.owner, other)).toEqual(IMAGE());
    await run(`update links set url = 'https://outro.example.br/' where id = $1`, mine.linkId);
    expect(await readCovers(mine.owner, other)).toEqual([]);
    expect(await note(mine.owner, 'image')).toEqual({ rows: 1 });
    expect(await readCovers(mine.owner, other)).toEqual(IMAGE());
    // What was not wanted of one page may be wanted of another.
    await note(mine.owner, 'removed');
    await run(`update links set url = 'https://terceiro.example.br/' where id = $1`, mine.linkId);
    expect(await readCovers(mine.owner, other)).toEqual([]);
  });
});

describe('who else sees it', () => {
  const others = () => [guest, stranger, 'anon'] as const;
  const expectNobody = async () => {
    for (const caller of others()) {
      expect(await readCovers(caller)).toEqual([]);
      expect(await download(caller)).toEqual([]);
    }
  };

  test('is nobody while the category is private, and nobody else notes or writes one', async () => {
    await giveCover();
    await expectNobody();
    for (const caller of [guest, stranger]) {
      for (const state of ['none', 'removed', 'image'])
        expect(await note(caller, state)).toMatchObject({ code: 'PT404' });
      expect(
        await readOutcome(
          database,
          caller,
          `insert into storage.objects (bucket_id, name) values ('arquivos', $1)`,
          [`${mine.owner.id}/covers/${stranger.id}`],
        ),
      ).toMatchObject({ code: '42501' });
    }
    expect(await note('anon', 'removed')).toMatchObject({ code: '42501' });
    for (const caller of [mine.owner, ...others(), 'service_role'] as const)
      expect(await readOutcome(database, caller, 'select * from private.link_covers')).toMatchObject({
        code: '42501',
      });
    expect(await readCovers(mine.owner)).toEqual(IMAGE());
  });

  test('is whoever is invited, until they are not', async () => {
    await giveCover();
    await invite();
    expect(await readCovers(guest)).toEqual(IMAGE());
    expect(await download(guest)).toEqual([nameOf()]);
    for (const caller of [stranger, 'anon'] as const) {
      expect(await readCovers(caller)).toEqual([]);
      expect(await download(caller)).toEqual([]);
    }
    await run('delete from shared_with where category_id = $1', mine.categoryId);
    await expectNobody();
  });

  test('is whoever has the address of a public category, until it is none', async () => {
    await giveCover();
    await publish(true);
    for (const caller of others()) {
      expect(await readCovers(caller)).toEqual(IMAGE());
      expect(await download(caller)).toEqual([nameOf()]);
    }
    await publish(false);
    await expectNobody();
  });

  test('sees that one, and by its own address alone: no list, no signed address, no other file', async () => {
    await giveCover();
    await publish(true);
    await store(`${mine.owner.id}/avatar/a.webp`);
    await store(`${mine.owner.id}/covers/${mine.categoryId}`);
    for (const caller of [stranger, 'anon'] as const) {
      for (const path of [
        `/storage/v1/object/list/arquivos`,
        `/storage/v1/object/list/arquivos/${nameOf()}`,
        `/storage/v1/object/sign/arquivos/${nameOf()}`,
        `/storage/v1/object/sign/arquivos`,
        `/storage/v1/object/copy`,
        `/storage/v1/object/info/arquivos/${nameOf()}`,
        `/storage/v1/object/authenticated/outro/${nameOf()}`,
        `/storage/v1/object/authenticated/arquivos/${nameOf()}/x`,
        `/storage/v1/object/authenticated/arquivos/${mine.owner.id}/avatar/a.webp`,
        `/storage/v1/object/authenticated/arquivos/${mine.owner.id}/covers/${mine.categoryId}`,
        `/storage/v1/object/authenticated/arquivos/${stranger.id}/covers/${mine.linkId}`,
        '',
      ])
        expect(await readNames(caller, path), path).toEqual([]);
    }
  });

  test('sees nothing of what was removed, of what leads elsewhere, or of what is gone', async () => {
    await publish(true);
    await giveCover();
    await note(mine.owner, 'removed');
    expect(await download('anon')).toEqual([]);
    await note(mine.owner, 'image');
    await run(`update links set url = 'https://outro.example.br/' where id = $1`, mine.linkId);
    expect(await download('anon')).toEqual([]);
    await note(mine.owner, 'image');
    expect(await download('anon')).toEqual([nameOf()]);
    await run('delete from links where id = $1', mine.linkId);
    await expectNobody();
  });

  test('may look, and change nothing', async () => {
    await giveCover();
    await publish(true);
    const client = await database.callers.connect();
    try {
      await client.query('begin');
      await client.query(
        `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true),
           set_config('request.path', $2, true), set_config('storage.allow_delete_query', 'true', true)`,
        [JSON.stringify(claimsOf(stranger)), `/storage/v1/object/arquivos/${nameOf()}`],
      );
      for (const text of [`update storage.objects set metadata = '{}'`, 'delete from storage.objects'])
        expect((await client.query(text)).rowCount).toBe(0);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});

describe('a link that goes', () => {
  const leftOver = async () => {
    const { rows } = await queryAs<{ name: string }>(
      database,
      'service_role',
      'select name from list_leftover_covers()',
    );
    return rows.map(({ name }) => name).filter((name) => name.startsWith(mine.owner.id));
  };
  const pass = (hours: number) =>
    database.admin.query(
      `update private.link_covers set leftover_since = leftover_since - make_interval(hours => $1)`,
      [hours],
    );
  const countRows = async () => {
    const { rows } = await database.admin.query('select from private.link_covers where user_id = $1', [
      mine.owner.id,
    ]);
    return rows.length;
  };
  const emptyBin = () =>
    database.admin.query('delete from private.deletions where user_id = $1', [mine.owner.id]);
  /** As the service does, with the bytes. */
  const remove = async (name: string) => {
    const client = await database.admin.connect();
    try {
      await client.query('begin');
      await client.query(`set local storage.allow_delete_query = 'true'`);
      await client.query('delete from storage.objects where name = $1', [name]);
      await client.query('commit');
    } finally {
      client.release();
    }
  };

  test('has its cover again when the deletion is undone, however it was deleted', async () => {
    await giveCover();
    await run('delete from links where id = $1', mine.linkId);
    expect(await readCovers(mine.owner)).toEqual([]);
    await undoDeletion(database, mine.owner, 'link', [mine.linkId]);
    expect(await readCovers(mine.owner)).toEqual(IMAGE());
    await run('delete from folders where id = $1', mine.folderId);
    await undoDeletion(database, mine.owner, 'folder', [mine.folderId]);
    expect(await readCovers(mine.owner)).toEqual(IMAGE());
    await pass(25);
    expect(await leftOver()).toEqual([]);
  });

  test('stays without the cover that its owner removed, with the deletion undone; what is known goes a day after the link is in no bin', async () => {
    for (const had of [false, true]) {
      if (had) await giveCover();
      await note(mine.owner, 'removed');
      await run('delete from links where id = $1', mine.linkId);
      await undoDeletion(database, mine.owner, 'link', [mine.linkId]);
      expect(await readCovers(mine.owner)).toEqual([{ state: 'removed', path: null }]);
      await pass(25);
      expect(await leftOver()).toEqual(had ? [nameOf()] : []);
      if (had) await remove(nameOf());
      expect(await leftOver()).toEqual([]);
      expect(await readCovers(mine.owner)).toEqual([{ state: 'removed', path: null }]);
    }
    for (const day of [1, 2]) {
      await run('delete from links where id = $1', mine.linkId);
      for (let looked = 0; looked < day; looked++) {
        await pass(25);
        expect([await leftOver(), await countRows()]).toEqual([[], 1]);
      }
      await undoDeletion(database, mine.owner, 'link', [mine.linkId]);
      expect(await readCovers(mine.owner)).toEqual([{ state: 'removed', path: null }]);
    }
    await run('delete from links where id = $1', mine.linkId);
    await emptyBin();
    await pass(25);
    expect([await leftOver(), await countRows()]).toEqual([[], 0]);
  });

  test('stays without the cover that its owner removed when it comes back under another id, its own taken meanwhile', async () => {
    await note(mine.owner, 'removed');
    await run('delete from links where id = $1', mine.linkId);
    const other = await createLibrary(database);
    await queryAs(
      database,
      other.owner,
      `insert into links (id, url, title, category_id) values ($1, 'https://outro.example.br/', 'Outro', $2)`,
      [mine.linkId, other.categoryId],
    );
    await undoDeletion(database, mine.owner, 'link', [mine.linkId]);
    const { rows } = await run(
      'select state from category_covers($1, array(select id from links))',
      mine.categoryId,
    );
    expect(rows).toEqual([{ state: 'removed' }]);
    expect(await readCovers(other.owner, other.categoryId)).toEqual([]);
  });

  test('does not get back the cover of a page that it led to before', async () => {
    await giveCover();
    await run(`update links set url = 'https://outro.example.br/' where id = $1`, mine.linkId);
    await run('delete from links where id = $1', mine.linkId);
    await undoDeletion(database, mine.owner, 'link', [mine.linkId]);
    expect(await readCovers(mine.owner)).toEqual([]);
  });

  test('leaves its file for a day, then to the service, and then nothing', async () => {
    await giveCover();
    await run('delete from links where id = $1', mine.linkId);
    await pass(23);
    expect(await leftOver()).toEqual([]);
    await pass(2);
    expect(await leftOver()).toEqual([nameOf()]);
    // Until the bytes are gone it is named again.
    expect(await leftOver()).toEqual([nameOf()]);
    await remove(nameOf());
    expect(await leftOver()).toEqual([]);
    expect(await countRows()).toBe(0);
  });

  test('leaves nothing where there was no file', async () => {
    await note(mine.owner, 'none');
    await run('delete from links where id = $1', mine.linkId);
    expect(await countRows()).toBe(0);
  });

  test('a file that was replaced by nothing is left over as well, and what is known stays', async () => {
    await giveCover();
    await note(mine.owner, 'removed');
    expect(await readCovers(mine.owner)).toEqual([{ state: 'removed', path: null }]);
    await pass(25);
    expect(await leftOver()).toEqual([nameOf()]);
    await remove(nameOf());
    expect(await leftOver()).toEqual([]);
    expect(await readCovers(mine.owner)).toEqual([{ state: 'removed', path: null }]);
    // Never named again, whatever day it is.
    await pass(99);
    expect(await leftOver()).toEqual([]);
  });

  test('leaves nothing where its owner wanted none by then', async () => {
    await giveCover();
    await note(mine.owner, 'removed');
    await run('delete from links where id = $1', mine.linkId);
    await pass(25);
    expect(await leftOver()).toEqual([nameOf()]);
    await remove(nameOf());
    expect([await leftOver(), await countRows()]).toEqual([[], 1]);
    await emptyBin();
    await pass(25);
    expect([await leftOver(), await countRows()]).toEqual([[], 0]);
  });

  test('leaves no cover to another link under its id', async () => {
    await giveCover();
    await publish(true);
    await run('delete from links where id = $1', mine.linkId);
    await run(
      `insert into links (id, url, title, category_id) values ($1, 'https://outro.example.br/', 'Outro', $2)`,
      mine.linkId,
      mine.categoryId,
    );
    expect(await readCovers(mine.owner)).toEqual([]);
    expect(await download('anon')).toEqual([]);
  });

  test('while a cover is noted, waits for nobody: who notes it finds none', async () => {
    const holder = await database.admin.connect();
    try {
      await holder.query('begin');
      await holder.query('delete from links where id = $1', [mine.linkId]);
      const noted = note(mine.owner, 'none');
      await expect
        .poll(async () => {
          const { rowCount } = await database.admin.query(
            `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          );
          return rowCount;
        })
        .toBe(1);
      await holder.query('commit');
      expect(await noted).toMatchObject({ code: 'PT404' });
    } finally {
      holder.release(true);
    }
    expect(await countRows()).toBe(0);
  });

  test('a cover that is there again is no leftover', async () => {
    await giveCover();
    await note(mine.owner, 'none');
    await pass(25);
    await note(mine.owner, 'image');
    expect(await leftOver()).toEqual([]);
  });

  test('what is left over is for the service alone', async () => {
    for (const caller of [mine.owner, stranger, 'anon'] as const)
      expect(await readOutcome(database, caller, 'select * from list_leftover_covers()')).toMatchObject({
        code: '42501',
      });
  });

  test('nothing is left of a person who is gone', async () => {
    await giveCover();
    await database.admin.query('delete from auth.users where id = $1', [mine.owner.id]);
    expect(await countRows()).toBe(0);
  });
});
