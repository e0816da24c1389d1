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

describe('nothing is open to programs by chance', () => {
  const OPEN = `arranged_links capture_link category_covers count_links_by count_searches delete_links delete_tags find_links_by_url is_inbox kept_addresses merge_tags move_links note_cover
    open_inbox place_links received_folders save_sharing search_links search_links_by search_received_links shared_category shared_links shared_tags suggest_search
    tag_links undo_deletion undo_tag_change`;
  /** Those that run with the rights of whoever calls are held back by policies. */
  const FOR_PROGRAMS =
    /\bprivate\.(?:may_\w+|reader_id|writer_id|sharer_id|category_access|received_categories)\(/;

  test('a function asks for the person, unless it is one of these', async () => {
    const { rows } = await database.admin.query<{ name: string; source: string; definer: boolean }>(
      `select p.proname as name, p.prosrc as source, p.prosecdef as definer
       from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where n.nspname = 'public' and has_function_privilege('authenticated', p.oid, 'execute')`,
    );
    const reached = (name: string): boolean => {
      const source = rows.find((one) => one.name === name)?.source ?? '';
      if (/\bprivate\.(?:caller_id|caller_session)\(/.test(source)) return false;
      if (FOR_PROGRAMS.test(source)) return true;
      return [...source.matchAll(/\bpublic\.(\w+)\(/g)].some(
        ([, called = '']) => called !== name && reached(called),
      );
    };
    const open = rows.filter(({ name, definer }) => !definer || reached(name)).map(({ name }) => name);
    expect([...new Set(open)].sort()).toEqual(OPEN.split(/\s+/));
  });

  test('a table asks for the person, unless it is one of these', async () => {
    const { rows } = await database.admin.query<{ name: string }>(
      `select distinct c.oid::regclass::text as name from pg_policy p join pg_class c on c.oid = p.polrelid
       where pg_get_expr(p.polqual, p.polrelid) ~ 'private.may_' and not p.polpermissive order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual([
      'categories',
      'category_counts',
      'favorites',
      'folder_looks',
      'folder_members',
      'folders',
      'inboxes',
      'library_counts',
      'link_tags',
      'links',
      'manual_order',
      'saved_searches',
      'shared_with',
      'tags',
    ]);
  });
});
