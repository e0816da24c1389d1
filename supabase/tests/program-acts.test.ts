import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ActingProgram, createProgram } from './support/act-as-program.ts';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;
let library: Library;
let other: string;
let robot: ActingProgram;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.admin.query('truncate private.program_acts cascade');
  library = await createLibrary(database, { plan: 'pro' });
  other = await createCategory(database, library.owner, library.folderId, 'Outra');
  robot = await createProgram(database, library.owner);
});

const run = (text: string, ...values: unknown[]) => queryAs(database, library.owner, text, values);
const add = (count: number, category = library.categoryId) =>
  run(
    `insert into links (url, title, description, category_id)
     select 'https://a.br/' || n, 'L' || n, 'Texto', $2 from generate_series(1, $1::integer) n`,
    count,
    category,
  );
type Entry = {
  readonly id: string;
  readonly act: string;
  readonly count: number;
  readonly undo: string | null;
};
async function history(category = library.categoryId, caller: TestCaller = library.owner) {
  const text = 'select id, act, count, undo from category_history($1)';
  return (await queryAs<Entry>(database, caller, text, [category])).rows;
}
const newest = async (category = library.categoryId) => (await history(category))[0]?.id;
async function ask(
  name: 'program_act' | 'undo_program_act',
  entry: unknown,
  caller: TestCaller = library.owner,
) {
  const { rows } = await queryAs<{ done: object }>(database, caller, `select ${name}($1) as done`, [entry]);
  return rows[0]?.done;
}
const undo = (entry: unknown, caller: TestCaller = library.owner) => ask('undo_program_act', entry, caller);
/** What the person sees of their links. */
async function links() {
  const { rows } = await run(
    `select l.title, l.url, l.description, c.name as place,
       array(select t.name from link_tags k join tags t on t.id = k.tag_id where k.link_id = l.id order by t.name) as tags
     from links l join categories c on c.id = l.category_id order by l.created_at, l.id`,
  );
  return rows;
}

describe('one act of a program is undone as one', () => {
  test('moved links return, from wherever they came', async () => {
    await add(3);
    await run(`insert into links (url, title, category_id) values ('https://b.br/', 'De lá', $1)`, other);
    const third = await createCategory(database, library.owner, library.folderId, 'Terceira');
    const before = await links();
    await robot.run('update links set category_id = $1', third);
    expect(await history(third)).toMatchObject([{ act: 'moved_in', count: 5, undo: 'possible' }]);
    expect(await ask('program_act', await newest(third))).toEqual({ moved: 5 });
    expect(await links()).not.toEqual(before);
    // From the other end of the move, too: it is the same act.
    expect(await undo(await newest(other))).toEqual({ moved: 5 });
    expect(await links()).toEqual(before);
    for (const place of [library.categoryId, other])
      expect((await history(place)).map(({ act, undo: state }) => [act, state]).slice(0, 2)).toEqual([
        ['moved_in', null],
        ['moved_out', 'undone'],
      ]);
  });

  test('saved links go to the bin, with the tags that were made for them', async () => {
    const before = await links();
    await robot.runIn(
      'call',
      `insert into links (url, title, category_id) select 'https://c.br/' || n, 'C', $1 from generate_series(1, 12) n`,
      library.categoryId,
    );
    await robot.runIn('call', `select tag_links(array(select id from links where title = 'C'), '{novo}')`);
    const entry = await newest();
    expect(await history()).toMatchObject([{ act: 'saved', count: 12 }, {}]);
    expect(await undo(entry)).toEqual({ saved: 12 });
    expect(await links()).toEqual(before);
    const { rows } = await run(
      'select link_count, (select count(*)::integer from tags) as tags from list_bin()',
    );
    expect(rows).toEqual([{ link_count: 12, tags: 0 }]);
  });

  test('deleted links come back from the bin, with what was theirs', async () => {
    await add(4);
    await run(`select tag_links(array(select id from links), '{meu}')`);
    const before = await links();
    await robot.run('delete from links where category_id = $1', library.categoryId);
    expect(await links()).toEqual([]);
    expect(await undo(await newest())).toEqual({ deleted: 5 });
    expect(await links()).toEqual(before);
  });

  test('changed links say again what they said', async () => {
    await add(2);
    const before = await links();
    await robot.run(`update links set title = 'X' || title, url = url || '?x', description = null`);
    expect(await undo(await newest())).toEqual({ changed: 3 });
    expect(await links()).toEqual(before);
  });

  test('tags go and come back, in the history and in the counts', async () => {
    await add(30);
    await run(`select tag_links(array(select id from links where title < 'L3'), '{velha}')`);
    await run(`select tag_links(array(select id from links), '{fica}')`);
    const before = await links();
    await robot.run(`select tag_links(array(select id from links), '{nova,outra}', '{velha}')`);
    expect(await history()).toMatchObject([{ act: 'tagged', count: 31, undo: 'possible' }, {}]);
    expect(await undo(await newest())).toEqual({ tagged: 31 });
    expect(await links()).toEqual(before);
    const { rows } = await run(
      `select name, link_count = (select count(*) from link_tags k where k.tag_id = t.id) as counted from tags t order by name desc`,
    );
    expect(rows).toEqual([
      { name: 'velha', counted: true },
      { name: 'fica', counted: true },
    ]);
  });

  test('a tag that a program deletes comes back with its links', async () => {
    await add(3);
    await run(`select tag_links(array(select id from links), '{velha,fica}')`);
    await run(`update tags set color = 'teal' where name = 'velha'`);
    const before = await links();
    await robot.run(`select delete_tags(array(select id from tags where name = 'velha'))`);
    expect(await undo(await newest())).toEqual({ tagged: 4 });
    expect(await links()).toEqual(before);
    expect((await run(`select color from tags where name = 'velha'`)).rows).toEqual([{ color: 'teal' }]);
  });

  test('a tag that a program deletes and somebody made anew has its links again', async () => {
    await add(1);
    await run(`select tag_links(array(select id from links), '{velha}')`);
    const before = await links();
    await robot.run(`select delete_tags(array(select id from tags))`);
    await run(`select tag_links(array(select id from links where title = 'L1'), '{velha}')`);
    expect(await undo(await newest())).toEqual({ tagged: 2 });
    expect(await links()).toEqual(before);
  });

  test('a category has its name and description again', async () => {
    await robot.run(`update categories set name = 'Robótica', description = 'Por mim' where id = $1`, other);
    expect(await undo(await newest(other))).toEqual({ renamed: 1 });
    expect((await run('select name, description from categories where id = $1', other)).rows).toEqual([
      { name: 'Outra', description: null },
    ]);
  });

  test('several changes of the same link are one', async () => {
    await add(1);
    const before = await links();
    const change = (text: string, ...values: unknown[]) => robot.runIn('call', text, ...values);
    await change(`update links set title = 'A', category_id = $1 where title = 'L1'`, other);
    await change(`select tag_links(array(select id from links where title = 'A'), '{um,dois}')`);
    await change(`select tag_links(array(select id from links where title = 'A'), '{três}', '{um}')`);
    await change(`update links set title = 'B', description = 'Novo' where title = 'A'`);
    await change(`delete from links where title = 'B'`);
    await change(`insert into links (url, title, category_id) values ('https://d.br/', 'D', $1)`, other);
    await change(`delete from links where title = 'D'`);
    expect(await undo(await newest(other))).toEqual({ deleted: 1 });
    expect(await links()).toMatchObject([before[0], { title: 'B', place: 'Outra' }]);
  });

  test('a link put in another’s place makes room for it where the plan is full', async () => {
    await database.admin.query(`update profiles set plan = 'free' where id = $1`, [library.owner.id]);
    await add(19);
    const before = await links();
    await robot.runIn('call', `delete from links where title = 'L1'`);
    await robot.runIn(
      'call',
      `insert into links (url, title, category_id) values ('https://c.br/', 'C', $1)`,
      library.categoryId,
    );
    expect(await undo(await newest())).toEqual({ saved: 1, deleted: 1 });
    expect(await links()).toEqual(before);
  });
});

describe('what somebody has changed since', () => {
  test('is left and counted, the rest comes back', async () => {
    await add(5);
    await robot.run(`update links set title = 'X' || title`);
    await run(`update links set title = 'Meu' where title = 'XL1'`);
    await run(`delete from links where title = 'XL2'`);
    // Another field of it is another matter.
    await run(`update links set description = 'Meu' where title = 'XL3'`);
    const entry = (await history()).find(({ undo: state }) => state === 'possible')?.id;
    const told = { changed: 4, changed_since: 2 };
    expect(await ask('program_act', entry)).toEqual(told);
    expect(await undo(entry)).toEqual(told);
    expect((await links()).map(({ title, description }) => [title, description])).toEqual([
      ['Exemplo', null],
      ['Meu', 'Texto'],
      ['L3', 'Meu'],
      ['L4', 'Texto'],
      ['L5', 'Texto'],
    ]);
  });

  test('has the tags that the program gave it still', async () => {
    await robot.runIn('call', `update links set title = 'Robô'`);
    await robot.runIn('call', `select tag_links(array(select id from links), '{nova}')`);
    await run(`update links set title = 'Meu'`);
    const entry = (await history()).find(({ undo: state }) => state === 'possible')?.id;
    expect(await undo(entry)).toEqual({ changed_since: 1 });
    expect(await links()).toMatchObject([{ title: 'Meu', tags: ['nova'] }]);
  });

  test('of categories is left and counted as well', async () => {
    const third = await createCategory(database, library.owner, library.folderId, 'Terceira');
    await robot.run(`update categories set name = 'Robô ' || name`);
    await run(`update categories set name = 'Minha' where id = $1`, other);
    await run('delete from categories where id = $1', third);
    const entry = (await history()).find(({ undo: state }) => state === 'possible')?.id;
    expect(await undo(entry)).toEqual({ renamed: 1, changed_since: 1, gone: 1 });
    expect((await run('select name from categories order by name')).rows).toEqual([
      { name: 'Leituras' },
      { name: 'Minha' },
    ]);
  });

  test('a tag that the program made and somebody has used since stays where they put it', async () => {
    await add(1);
    await robot.run(`select tag_links(array(select id from links where title = 'L1'), '{nova,dele}')`);
    await run(`select tag_links(array(select id from links where title = 'Exemplo'), '{nova}')`);
    expect(await undo(await newest())).toEqual({ tagged: 1 });
    expect((await links()).map(({ tags }) => tags)).toEqual([['nova'], []]);
    expect((await run('select name, link_count from tags')).rows).toEqual([{ name: 'nova', link_count: 1 }]);
  });

  test('a tag that the program made stays where a link in the bin has it', async () => {
    await add(1);
    await robot.run(`select tag_links(array(select id from links where title = 'L1'), '{nova,dele}')`);
    const entry = await newest();
    await run(`select tag_links(array(select id from links where title = 'Exemplo'), '{nova}')`);
    await run(`delete from links where title = 'Exemplo'`);
    expect(await undo(entry)).toEqual({ tagged: 1 });
    await run(`select undo_deletion('link', $1)`, [library.linkId]);
    expect((await links()).map(({ tags }) => tags)).toEqual([['nova'], []]);
  });

  test('tags come back as far as their link has room for them', async () => {
    const tags = `array(select 'm' || n from generate_series(1, 20) n)`;
    await run(`select tag_links(array(select id from links), ${tags})`);
    await robot.run(`select tag_links(array(select id from links), '{}', ${tags})`);
    expect(await undo(await newest())).toEqual({ tagged: 1 });
    expect((await links())[0]?.['tags']).toHaveLength(20);
    await run(`select tag_links(array(select id from links), '{}', ${tags})`);
    await run(`select tag_links(array(select id from links), '{a,b,c}')`);
    await robot.run(`select tag_links(array(select id from links), '{}', '{a,b,c}')`);
    await run(
      `select tag_links(array(select id from links), array(select 'n' || n from generate_series(1, 18) n))`,
    );
    const before = (await links())[0]?.['tags'] as string[];
    expect(await undo(await newest())).toEqual({ tagged: 1 });
    const after = (await links())[0]?.['tags'] as string[];
    expect(after).toHaveLength(20);
    expect(after).toEqual(expect.arrayContaining(before));
  });

  test('what lies in the bin past its day does not come back', async () => {
    await robot.run('delete from links');
    await database.admin.query('update private.deletions set purge_after = now() where user_id = $1', [
      library.owner.id,
    ]);
    expect(await undo(await newest())).toEqual({ gone: 1 });
    expect(await links()).toEqual([]);
  });

  test('a change between two of the same call is not undone with them', async () => {
    await robot.runIn('call', `update links set title = 'A'`);
    await run(`update links set title = 'Meu'`);
    await robot.runIn('call', `update links set description = 'Dele'`);
    const entry = (await history()).find(({ undo: state }) => state === 'possible')?.id;
    expect(await undo(entry)).toEqual({ changed_since: 1 });
    expect(await links()).toMatchObject([{ title: 'Meu', description: 'Dele' }]);
  });

  test('saved links that were edited stay, deleted ones that came back too', async () => {
    await robot.runIn(
      'call',
      `insert into links (url, title, category_id) values ('https://c.br/', 'C', $1), ('https://d.br/', 'D', $1)`,
      library.categoryId,
    );
    await robot.runIn('call', `delete from links where title = 'Exemplo'`);
    await run(`update links set title = 'Minha' where title = 'C'`);
    await run(`select undo_deletion('link', array[$1::uuid])`, library.linkId);
    const entry = (await history()).find(({ act }) => act === 'deleted')?.id;
    expect(await undo(entry)).toEqual({ saved: 1, changed_since: 2 });
    expect((await links()).map(({ title }) => title)).toEqual(['Exemplo', 'Minha']);
  });

  test('what has no place any more, or is gone from the bin, says so', async () => {
    await add(2);
    await robot.runIn('call', `update links set category_id = $1 where title = 'L1'`, other);
    await robot.runIn('call', `delete from links where title = 'L2'`);
    await robot.runIn('call', `delete from links where title = 'Exemplo'`);
    await run(`select delete_from_bin((select max(id) from list_bin()))`);
    await run('delete from categories where id = $1', library.categoryId);
    const entry = await newest(other);
    expect(await undo(entry)).toEqual({ place_gone: 2, gone: 1 });
    // Nothing came back: once its place is there again it can.
    await run(`select restore_from_bin((select max(id) from list_bin()))`);
    expect(await undo(entry)).toEqual({ moved: 1, deleted: 1, gone: 1 });
  });
});

describe('twice, and at the same moment', () => {
  test('the second of two presses gets the answer of the first', async () => {
    await add(40);
    await robot.run('update links set category_id = $1', other);
    const entry = await newest(other);
    const answers = await Promise.all([undo(entry), undo(entry), undo(entry)]);
    expect(answers).toEqual(Array(3).fill({ moved: 41 }));
    expect(await ask('program_act', entry)).toEqual({ moved: 41 });
    expect(await history()).toHaveLength(3);
    await run(`update links set title = 'Depois'`);
    expect(await undo(entry)).toEqual({ moved: 41 });
    expect(await links()).toMatchObject([{ title: 'Depois', place: 'Leituras' }, ...Array(40).fill({})]);
  });

  test('an edit that is under way is waited for, and wins', async () => {
    await robot.run(`update links set title = 'Robô'`);
    const entry = await newest();
    const editor = await database.admin.connect();
    await editor.query('begin');
    await editor.query(`update links set title = 'Meu' where id = $1`, [library.linkId]);
    const undoing = undo(entry);
    await isWaiting('undo_program_act');
    await editor.query('commit');
    editor.release();
    expect(await undoing).toEqual({ changed_since: 1 });
    expect(await links()).toMatchObject([{ title: 'Meu' }]);
  });

  test('an edit that comes after it waits, and nothing of it is lost', async () => {
    await robot.run(`update links set title = 'Robô'`);
    const entry = await newest();
    const undoer = await database.admin.connect();
    await undoer.query('begin');
    await undoer.query(`select set_config('request.jwt.claims', $1, true)`, [
      JSON.stringify({ sub: library.owner.id, role: 'authenticated' }),
    ]);
    await undoer.query('select undo_program_act($1)', [entry]);
    const editing = run(`update links set description = 'Minha'`);
    await isWaiting('update links set description');
    await undoer.query('commit');
    undoer.release();
    await editing;
    expect(await links()).toMatchObject([{ title: 'Exemplo', description: 'Minha' }]);
  });

  test('a call that goes on after it was undone has another act', async () => {
    await robot.runIn('call', `update links set title = 'Um'`);
    const entry = await newest();
    await undo(entry);
    await robot.runIn('call', `update links set title = 'Dois'`);
    expect((await history()).map(({ undo: state }) => state)).toEqual(['possible', null, 'undone', null]);
    expect(await undo(await newest())).toEqual({ changed: 1 });
    expect(await links()).toMatchObject([{ title: 'Exemplo' }]);
  });

  test('an undo beside one of the bin, in any order, ends', async () => {
    await add(60);
    await robot.run(`delete from links where title > 'L4'`);
    const entry = await newest();
    await run(`delete from links where title like 'L1%'`);
    const { rows } = await run('select max(id) as id from list_bin()');
    await Promise.all([undo(entry), run('select restore_from_bin($1)', rows[0]?.['id'])]);
    expect(await links()).toHaveLength(61);
  });
});

/** Resolves when a statement that contains this waits for a lock. */
async function isWaiting(text: string): Promise<void> {
  for (;;) {
    const { rowCount } = await database.admin.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and position($1 in query) > 0
         and pid <> pg_backend_pid()`,
      [text],
    );
    if (rowCount) return;
  }
}

describe('what is kept', () => {
  test('is nothing of what people and the server do', async () => {
    await add(3);
    await run(`update links set title = 'Meu', category_id = $1`, other);
    await run(`select tag_links(array(select id from links), '{a}')`);
    await run('delete from links');
    await queryAs(
      database,
      'service_role',
      `insert into links (url, title, category_id, user_id) values ('https://a.br/', 'D', $1, $2)`,
      [other, library.owner.id],
    );
    const { rows } = await database.admin.query('select from private.program_acts where owner_id = $1', [
      library.owner.id,
    ]);
    expect(rows).toEqual([]);
    expect((await history(other)).map(({ undo: state }) => state)).toEqual([null, null, null, null]);
  });

  test('is bounded: an act of more than twenty thousand rows cannot be undone, and says so', async () => {
    await robot.run(
      `insert into links (url, title, category_id) select 'https://a.br/' || n, 'L', $1 from generate_series(1, 20001) n`,
      library.categoryId,
    );
    const [entry] = await history();
    expect(entry).toMatchObject({ count: 20_001, undo: 'too_large' });
    expect(await readOutcome(database, library.owner, 'select undo_program_act($1)', [entry?.id])).toEqual({
      code: 'PT409',
      hint: 'act_too_large',
    });
    const { rowCount } = await database.admin.query('select from private.program_act_rows');
    expect(rowCount).toBe(0);
  });

  test('is bounded: of an act that grows beyond that nothing is kept, not even its beginning', async () => {
    await add(1);
    await robot.runIn('call', `update links set title = 'Um' where title = 'L1'`);
    await database.admin.query('update private.program_acts set row_count = 20000');
    await robot.runIn('call', `update links set title = 'Dois' where title = 'Exemplo'`);
    expect((await history()).find(({ act }) => act === 'changed')).toMatchObject({ undo: 'too_large' });
    const { rowCount } = await database.admin.query('select from private.program_act_rows');
    expect(rowCount).toBe(0);
  });

  test('is bounded: behind so many rows the oldest acts go, with their entries', async () => {
    await robot.run(`update links set title = 'Um'`);
    await robot.run(`update links set title = 'Dois'`);
    await database.admin.query(
      `update private.program_acts set rows_until = rows_until + 99998
       where id = (select max(id) from private.program_acts)`,
    );
    await robot.run(`update links set title = 'Três'`);
    expect((await history()).map(({ act, undo: state }) => [act, state])).toEqual([
      ['changed', 'possible'],
      ['changed', 'possible'],
      ['saved', null],
    ]);
  });

  test('is bounded for each library by itself', async () => {
    await robot.run(`update links set title = 'Um'`);
    const neighbour = await createLibrary(database, { plan: 'pro' });
    const theirs = await createProgram(database, neighbour.owner);
    await theirs.run(`update links set title = 'Dois'`);
    await database.admin.query(
      'update private.program_acts set rows_until = rows_until + 200000 where owner_id = $1',
      [neighbour.owner.id],
    );
    await theirs.run(`update links set title = 'Três'`);
    await robot.run(`update links set title = 'Quatro'`);
    expect((await history()).map(({ act, undo: state }) => [act, state])).toEqual([
      ['changed', 'possible'],
      ['changed', 'possible'],
      ['saved', null],
    ]);
  });

  test('is forgotten after thirty days', async () => {
    await robot.run(`update links set title = 'Um'`);
    const entry = await newest();
    await database.admin.query(`update private.category_changes set changed_at = now() - interval '31 days'`);
    await database.admin.query(`update private.program_acts set started_at = now() - interval '31 days'`);
    expect(await readOutcome(database, library.owner, 'select undo_program_act($1)', [entry])).toEqual({
      code: 'PT404',
    });
    await queryAs(database, 'service_role', 'select private.purge_category_changes()');
    const { rowCount } = await database.admin.query('select from private.program_acts');
    expect(rowCount).toBe(0);
  });

  test('goes with the account', async () => {
    await robot.run(`update links set title = 'Um'`);
    await database.admin.query('delete from auth.users where id = $1', [library.owner.id]);
    const { rowCount } = await database.admin.query('select from private.program_acts where owner_id = $1', [
      library.owner.id,
    ]);
    expect(rowCount).toBe(0);
  });
});
