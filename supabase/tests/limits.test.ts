import { FIELD_LIMITS, IDS_PER_CALL, IMPORT_LIMITS, TECHNICAL_BOUNDS } from '@linkoteca/domain/limits';
import { PLANS } from '@linkoteca/domain/plans';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

const query = async <Row extends object>(sql: string, values: readonly unknown[] = []) =>
  (await database.admin.query<Row>(sql, [...values])).rows;

/** What the domain says stands in the database a second time: whoever changes one of them has to change the other. */
describe('the domain and the database agree', () => {
  test('on each plan, column by column', async () => {
    const expected = Object.values(PLANS).map((plan) => ({
      plan: plan.id,
      max_links: plan.maxLinks,
      max_categories: plan.maxCategories,
      max_received_shares: plan.maxReceivedShares,
      can_share: plan.sharing,
      max_folder_members: plan.maxFolderMembers,
      storage_megabytes: plan.storageMegabytes,
      max_webhooks: plan.maxWebhooks,
    }));
    expect(new Set(await query('select * from private.plan_limits'))).toEqual(new Set(expected));
  });

  test.each(Object.entries(TECHNICAL_BOUNDS))('on the bound of %s', async (name, bound) => {
    expect(await query('select private.most($1) as bound', [name])).toEqual([{ bound }]);
  });

  test.each([
    ['folders', 'name', FIELD_LIMITS.folderName],
    ['categories', 'name', FIELD_LIMITS.categoryName],
    ['categories', 'description', FIELD_LIMITS.categoryDescription],
    ['links', 'title', FIELD_LIMITS.linkTitle],
    ['links', 'url', FIELD_LIMITS.linkUrl],
    ['links', 'description', FIELD_LIMITS.linkDescription],
  ])('on the length of %s.%s', async (table, column, length) => {
    const rules = await query<{ rule: string }>(
      `select pg_get_constraintdef(oid) as rule from pg_constraint where conrelid = $1::regclass and conname = $2`,
      [`public.${table}`, `${table}_${column}_length`],
    );
    expect(rules[0]?.rule).toMatch(new RegExp(`char_length\\(${column}\\) <= ${length}\\)`));
  });

  test('on how many ids a call takes', async () => {
    const bodies = await query<{ name: string; most: string }>(
      `select p.proname as name, (regexp_match(p.prosrc, 'cardinality\\(\\w+\\) > (\\d+)'))[1] as most
       from pg_proc p where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
         and p.prosrc ~ 'cardinality\\(\\w+ids\\) > \\d+'`,
    );
    expect(bodies.length).toBeGreaterThanOrEqual(2);
    expect(bodies.filter(({ most }) => Number(most) !== IDS_PER_CALL)).toEqual([]);
  });

  test('on how long an import can be taken back, and that a part of it is taken', async () => {
    const [window] = await query<{ hours: number }>(
      'select extract(epoch from private.import_window())::integer / 3600 as hours',
    );
    expect(window?.hours).toBe(IMPORT_LIMITS.undoHours);
    const [body] = await query<{ most: string }>(
      `select (regexp_match(prosrc, '''links''\\) > (\\d+)'))[1] as most from pg_proc where prosrc ~ '''links''\\) > \\d+'`,
    );
    expect(Number(body?.most)).toBeGreaterThanOrEqual(IMPORT_LIMITS.linksPerPart);
  });
});
