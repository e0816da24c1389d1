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

type Declared = { readonly name: string; readonly source: string; readonly comment: string };

async function listDeclared(): Promise<Declared[]> {
  const { rows } = await database.admin.query<Declared>(
    `select p.oid::regprocedure::text as name, p.prosrc as source, obj_description(p.oid, 'pg_proc') as comment
     from pg_proc p where obj_description(p.oid, 'pg_proc') like 'realtime: reads %' order by 1`,
  );
  return rows;
}

/** A view is what it is made of, and what comes and goes in a folder's categories is told by its members' rows. */
const FOLDER_PLACES =
  /private\.folder_places r(?: join public\.categories c on c\.folder_id = r\.folder_id)?/g;
const FOLDER_SOURCES = 'public.folder_members public.profiles private.plan_limits private.account_closures';

const readBy = ({ comment }: Pick<Declared, 'comment'>) =>
  comment.replace('realtime: reads ', '').split(', ').sort();

describe('what a policy’s function says it reads', () => {
  test('is what it reads: each table, and no function but those of the caller', async () => {
    const declared = await listDeclared();
    expect(declared.map(({ name }) => name)).toEqual([
      'private.invited_category_ids()',
      'private.is_account_open()',
      'private.managed_folder_ids()',
      'private.may_meet(text)',
      'private.may_read_links()',
      'private.may_share()',
      'private.may_write_links()',
      'private.openable_category_ids()',
      'private.own_category_ids()',
      'private.received_folder_ids()',
    ]);
    // Which token may act is asked in one place, whatever it is asked for.
    const { rows } = await database.admin.query<{ source: string }>(
      `select prosrc as source from pg_proc where oid = 'private.is_token_good(text[])'::regprocedure`,
    );
    const gate = rows[0]?.source ?? '';
    for (const { name, source, comment } of declared) {
      // Factors, sessions, accounts and bans no log carries everywhere, and bans end with time: the server looks for them by itself and ends
      // the channels, with what was kept for them (session-watch.test.ts).
      const isWatched = /^private\.(?:is_account_open|may_\w+)\(\)$/.test(name);
      if (isWatched)
        expect(source).toMatch(/^\s*begin\s+return private\.is_token_good\('\{[\w:,]*\}'\);\s+end\s*$/);
      const watched = isWatched ? ['auth.mfa_factors', 'auth.sessions', 'auth.users'] : [];
      const text = (isWatched ? gate : source).replace(FOLDER_PLACES, FOLDER_SOURCES);
      const names = [...text.matchAll(/\b(?:public|private|auth)\.\w+\b(\()?/g)];
      const [functions, tables] = [names.filter(([, call]) => call), names.filter(([, call]) => !call)];
      expect([...new Set(tables.map(([name]) => name))].sort()).toEqual(
        [...watched, ...readBy({ comment })].sort(),
      );
      for (const [name] of functions) expect(['auth.uid(', 'auth.email(', 'auth.jwt(']).toContain(name);
      // An answer that changes with the time could not be kept.
      if (!isWatched) expect(source).not.toMatch(/\bnow\b|current_|clock_|timestamp|random|execute/i);
    }
  });

  test('of the view of places in folders are the tables it is made of', async () => {
    const { rows } = await database.admin.query<{ name: string }>(
      `select distinct d.refobjid::regclass::text as name from pg_rewrite w join pg_depend d on d.objid = w.oid
       where w.ev_class = 'private.folder_places'::regclass and d.refclassid = 'pg_class'::regclass
         and d.refobjid <> w.ev_class`,
    );
    const qualified = rows.map(({ name }) => (name.includes('.') ? name : `public.${name}`));
    expect(qualified.sort()).toEqual(FOLDER_SOURCES.split(' ').sort());
  });

  test('is in the log, every change of it', async () => {
    const { rows } = await database.admin.query<{ name: string }>(
      `select schemaname || '.' || tablename as name from pg_publication_tables t join pg_publication p using (pubname)
       where pubname in ('supabase_realtime', 'linkoteca_policy_sources')
         and pubinsert and pubupdate and pubdelete and pubtruncate and rowfilter is null`,
    );
    const heard = rows.map(({ name }) => name);
    for (const one of await listDeclared()) expect(heard).toEqual(expect.arrayContaining(readBy(one)));
  });

  test('is published to no screen beyond what screens may hear', async () => {
    const { rows } = await database.admin.query(
      `select tablename from pg_publication_tables where pubname = 'supabase_realtime' and tablename in ('profiles', 'plan_limits')`,
    );
    expect(rows).toEqual([]);
  });
});
