import { randomUUID } from 'node:crypto';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { setPlan } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;
let mine: Library;
let importId: string;

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  mine = await createLibrary(database, { plan: 'pro' });
  importId = randomUUID();
});

const content = (places: number, links: number, total?: object) => ({
  places: Array.from({ length: places }, (_, n) => ({ n, folder: `Pasta ${n}`, category: 'Artigos' })),
  links: Array.from({ length: links }, (_, n) => ({
    n,
    place: 0,
    title: `Link ${n}`,
    url: `https://a.br/${n}`,
  })),
  ...(total && { total }),
});
const outcome = (call: string, values: readonly unknown[], { owner } = mine) =>
  readOutcome(database, owner, `select ${call}`, values);
const ask = async <T>(call: string, values: readonly unknown[] = [], { owner } = mine) =>
  (await queryAs<{ answer: T }>(database, owner, `select ${call} as answer`, values)).rows[0]?.answer;
const write = (body: object, part = 0, library = mine, id = importId) =>
  ask<Record<string, number>>('import_library($1, $2, $3)', [id, part, JSON.stringify(body)], library);
const started = (ago: string) =>
  database.admin.query(`update private.imports set started_at = now() - $2::interval where user_id = $1`, [
    mine.owner.id,
    ago,
  ]);

describe('a part of an import', () => {
  test.each([
    [1000, 0, true],
    [1001, 0, false],
    [1, 1000, true],
    [1, 1001, false],
  ])(
    'of %i places and %i links is taken, to be written and to be looked at: %j',
    async (places, links, isTaken) => {
      const body = JSON.stringify(content(places, links));
      expect(await outcome('preview_import($1)', [body])).toEqual(isTaken ? { rows: 1 } : { code: 'PT400' });
      // What is written takes its time where there is much of it, and is counted by the same rule.
      if (!isTaken)
        expect(await outcome('import_library($1, 0, $2)', [importId, body])).toEqual({ code: 'PT400' });
    },
  );

  test.each([
    [0, true],
    [9_999, true],
    [-1, false],
    [10_000, false],
    [null, false],
  ])('has the number %j: %j', async (part, isTaken) => {
    const body = JSON.stringify(content(1, 1));
    expect(await outcome('import_library($1, $2, $3)', [importId, part, body])).toEqual(
      isTaken ? { rows: 1 } : { code: 'PT400' },
    );
    expect(await outcome('import_library(null, 0, $1)', [body])).toEqual({ code: 'PT400' });
  });

  test.each([
    null,
    {},
    { places: [] },
    { links: [] },
    { places: {}, links: [] },
    { places: [], links: null },
  ])('is not %j', async (body) => {
    const values = [body === null ? null : JSON.stringify(body)];
    expect(await outcome('preview_import($1)', values)).toEqual({ code: 'PT400' });
    expect(await outcome('import_library($2, 0, $1)', [...values, importId])).toEqual({ code: 'PT400' });
  });
});

describe('what a plan has room for', () => {
  const announce = (links: number, categories: number) =>
    outcome('import_library($1, 0, $2)', [importId, JSON.stringify(content(1, 1, { links, categories }))]);

  test('is asked of the whole of an import, to the last link and the last category', async () => {
    await setPlan(database.admin, mine.owner.id, 'plus');
    const { rows } = await database.admin.query<{ max_links: number; max_categories: number }>(
      `select max_links, max_categories from private.plan_limits where plan = 'plus'`,
    );
    const { max_links: links, max_categories: categories } = rows[0] as {
      max_links: number;
      max_categories: number;
    };
    expect(await announce(links, 1)).toMatchObject({ code: 'P0001', hint: 'plan_limit_links' });
    expect(await announce(1, categories)).toMatchObject({ code: 'P0001', hint: 'plan_limit_categories' });
    expect(await announce(links - 1, categories - 1)).toEqual({ rows: 1 });
  });

  test('is the bound of everybody where the plan knows none', async () => {
    expect(await announce(1_000_000, 1)).toMatchObject({ code: 'P0001', hint: 'bound_links' });
    expect(await announce(1, 10_000)).toMatchObject({ code: 'P0001', hint: 'bound_categories' });
    expect(await announce(999_999, 9_999)).toEqual({ rows: 1 });
  });
});

describe('an import of yesterday', () => {
  test('is offered and undone for a day, and no longer', async () => {
    await write(content(2, 3));
    await started('23 hours 59 minutes');
    const last = await ask<Record<string, unknown>>('last_import()');
    expect(last).toMatchObject({ id: importId, folders: 2, categories: 2, links: 3 });
    await started('24 hours 1 second');
    expect(await ask('last_import()')).toBeNull();
    expect(await outcome('undo_import($1)', [importId])).toEqual({ code: 'PT404' });
    await started('23 hours 59 minutes');
    expect(await ask('undo_import($1)', [importId])).toEqual({
      folders: 2,
      categories: 2,
      links: 3,
      done: true,
    });
  });

  test('is forgotten with the next import, and one that is younger is not', async () => {
    const older = randomUUID();
    await write(content(1, 1), 0, mine, older);
    await started('24 hours 1 second');
    const younger = randomUUID();
    await write(content(1, 2), 0, mine, younger);
    await database.admin.query(
      `update private.imports set started_at = now() - interval '23 hours' where id = $1`,
      [younger],
    );
    await write(content(1, 3));
    const { rows } = await database.admin.query<{ id: string }>(
      'select id from private.imports where user_id = $1',
      [mine.owner.id],
    );
    expect(rows.map(({ id }) => id).toSorted()).toEqual([younger, importId].toSorted());
  });

  test('is the newest of one’s own that has left something, whatever others have', async () => {
    const theirs = await createLibrary(database, { plan: 'pro' });
    const second = randomUUID();
    await write(content(1, 2));
    await started('2 hours');
    await write(
      { ...content(1, 0), links: [{ n: 0, place: 0, title: 'Novo', url: 'https://b.br/' }] },
      0,
      mine,
      second,
    );
    await write(content(3, 3), 0, theirs, randomUUID());
    expect(await ask('last_import()')).toMatchObject({ id: second, folders: 0, categories: 0, links: 1 });
    await ask('undo_import($1)', [second]);
    expect(await ask('last_import()')).toMatchObject({ id: importId, links: 2 });
    await ask('undo_import($1)', [importId]);
    expect(await ask('last_import()')).toBeNull();
  });

  test('is undone ten parts a call, in their order, each once', async () => {
    for (let part = 0; part < 11; part += 1)
      await write(
        { ...content(1, 0), links: [{ n: 0, place: 0, title: 'L', url: `https://a.br/${part}` }] },
        part,
      );
    expect(await ask('undo_import($1)', [importId])).toEqual({
      folders: 0,
      categories: 0,
      links: 10,
      done: false,
    });
    const { rows } = await database.admin.query(
      `select url from links where user_id = $1 and url ~ '^https://a.br/'`,
      [mine.owner.id],
    );
    expect(rows).toEqual([{ url: 'https://a.br/10' }]);
    expect(await ask('undo_import($1)', [importId])).toEqual({
      folders: 1,
      categories: 1,
      links: 1,
      done: true,
    });
    expect(await outcome('import_library($1, 11, $2)', [importId, JSON.stringify(content(1, 1))])).toEqual({
      code: 'PT409',
    });
  });
});
