import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { afterAll, beforeAll, expect, test } from 'vitest';

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

test('whoever is signed in sees the private schema, and may do nothing there but what policies, constraints and the server ask', async () => {
  const { rows } = await database.admin.query<{ name: string }>(
    `select p.proname as name from pg_proc p
     where p.pronamespace = 'private'::regnamespace and has_function_privilege('authenticated', p.oid, 'execute')
     order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual([
    'are_share_emails',
    'asked_cover',
    'claim_idempotency_key',
    'has_room_for',
    'invited_category_ids',
    'is_account_open',
    'is_cover_file',
    'is_session_open',
    'links_of_address',
    'managed_folder_ids',
    'may_meet',
    'may_read_links',
    'may_share',
    'may_write_links',
    'note_idempotent_answer',
    'number_rows',
    'numbered_row',
    'openable_category_ids',
    'own_category_ids',
    'received_folder_ids',
    'sift_tokens',
    'writable_category_ids',
    'writable_folder_ids',
    'written_cover',
  ]);
});

test('no table of the private schema is open to a request, and visitors do not see the schema', async () => {
  const { rows } = await database.admin.query(
    `select c.relname, r.rolname from pg_class c, pg_roles r
     where c.relnamespace = 'private'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
       and r.rolname in ('anon', 'authenticated')
       and (case when c.relkind = 'S' then has_sequence_privilege(r.oid, c.oid, 'usage, select, update')
         else has_any_column_privilege(r.oid, c.oid, 'select, insert, update') end)`,
  );
  expect(rows).toEqual([]);
  const { rows: rights } = await database.admin.query(
    `select has_schema_privilege('anon', 'private', 'usage') as anon,
       has_schema_privilege('authenticated', 'private', 'usage') as authenticated,
       has_schema_privilege('authenticated', 'private', 'create') as creates`,
  );
  expect(rights).toEqual([{ anon: false, authenticated: true, creates: false }]);
});
