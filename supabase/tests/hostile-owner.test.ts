import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';
import { nameRows } from './support/name-rows.ts';
import { type Outcome, readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;
let mine: Library;
let theirs: Library;
let stranger: TestUser;

beforeAll(async () => {
  database = await createThrowawayDatabase();
  mine = await createLibrary(database, { plan: 'plus' });
  theirs = await createLibrary(database, { plan: 'plus' });
  stranger = await createUser(database.admin);
});
afterAll(() => database.drop());

const NO_RIGHT = { code: '42501' };
const NO_PARENT = { code: '23503' };

function attempt(text: string): Promise<Outcome> {
  const ids = {
    folder: mine.folderId,
    owner: mine.owner.id,
    theirFolder: theirs.folderId,
    theirCategory: theirs.categoryId,
    stranger: stranger.id,
  };
  return readOutcome(database, mine.owner, nameRows(text, ids));
}

describe('a hostile owner', () => {
  const attempts: readonly { name: string; text: string; outcome: Outcome }[] = [
    {
      name: 'gives a folder away',
      text: `update folders set user_id = :stranger where id = :folder`,
      outcome: NO_RIGHT,
    },
    {
      name: 'gives a category away',
      text: `update categories set user_id = :stranger where user_id = :owner`,
      outcome: NO_RIGHT,
    },
    {
      name: 'gives a link away',
      text: `update links set user_id = :stranger where user_id = :owner`,
      outcome: NO_RIGHT,
    },
    {
      name: 'moves a link into someone else’s category',
      text: `update links set category_id = :theirCategory where user_id = :owner`,
      outcome: NO_PARENT,
    },
    {
      name: 'moves a category into someone else’s folder',
      text: `update categories set folder_id = :theirFolder where user_id = :owner`,
      outcome: NO_PARENT,
    },
    {
      name: 'changes an id',
      text: `update links set id = gen_random_uuid() where user_id = :owner`,
      outcome: NO_RIGHT,
    },
    {
      name: 'backdates a link',
      text: `update links set created_at = now() - interval '1 year' where user_id = :owner`,
      outcome: NO_RIGHT,
    },
    {
      name: 'raises their plan',
      text: `update profiles set plan = 'pro' where id = :owner`,
      outcome: NO_RIGHT,
    },
    {
      name: 'makes a profile',
      text: `insert into profiles (id, plan) values (:owner, 'pro')`,
      outcome: NO_RIGHT,
    },
    { name: 'removes their profile', text: `delete from profiles where id = :owner`, outcome: NO_RIGHT },
    {
      name: 'writes a subscription',
      text: `insert into subscribers (user_id, plan, subscription_status) values (:owner, 'pro', 'active')`,
      outcome: NO_RIGHT,
    },
    {
      name: 'raises a subscription',
      text: `update subscribers set plan = 'pro' where user_id = :owner`,
      outcome: NO_RIGHT,
    },
    {
      name: 'removes a subscription',
      text: `delete from subscribers where user_id = :owner`,
      outcome: NO_RIGHT,
    },
    {
      name: 'lowers a counter',
      text: `update library_counts set link_count = 0 where user_id = :owner`,
      outcome: NO_RIGHT,
    },
    {
      name: 'removes a counter',
      text: `delete from category_counts where user_id = :owner`,
      outcome: NO_RIGHT,
    },
    { name: 'reads the plans’ limits', text: `select from private.plan_limits`, outcome: NO_RIGHT },
    {
      name: 'makes themselves administrator',
      text: `update private.installation set admin_user_id = :owner`,
      outcome: NO_RIGHT,
    },
    { name: 'reads the search index', text: `select from private.link_search`, outcome: NO_RIGHT },
    { name: 'reads accounts', text: `select from auth.users`, outcome: NO_RIGHT },
    { name: 'empties a table', text: `truncate public.links`, outcome: NO_RIGHT },
    {
      name: 'calls an internal function',
      text: `select private.category_access(:theirCategory)`,
      outcome: NO_RIGHT,
    },
    { name: 'creates a table', text: `create table public.mine (id int)`, outcome: NO_RIGHT },
  ];

  test.each(attempts)('$name: refused', async ({ text, outcome }) => {
    expect(await attempt(text)).toMatchObject(outcome);
  });

  test('still owns everything afterwards, and nothing more', async () => {
    const { rows } = await database.admin.query(
      `select p.plan, (select count(*)::int from links l where l.user_id = p.id and l.category_id = $2) as links
       from profiles p where p.id = $1`,
      [mine.owner.id, mine.categoryId],
    );
    expect(rows).toEqual([{ plan: 'plus', links: 1 }]);
    const { rows: foreign } = await database.admin.query(
      `select count(*)::int as n from links where category_id = $1 and user_id <> $2`,
      [theirs.categoryId, theirs.owner.id],
    );
    expect(foreign).toEqual([{ n: 0 }]);
  });
});
