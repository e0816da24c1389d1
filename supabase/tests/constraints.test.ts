import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;
let mine: Library;

beforeAll(async () => {
  database = await createThrowawayDatabase();
  mine = await createLibrary(database, { plan: 'pro' });
  await queryAs(database, mine.owner, `insert into shared_with (category_id, email) values ($1, $2)`, [
    mine.categoryId,
    INVITED,
  ]);
});
afterAll(() => database.drop());

/** Is on the list before the first trial. */
const INVITED = 'eva@exemplo.com.br';
const ok = { rows: 1 };
const broken = (constraint: string) => ({ code: '23514', constraint });

/** $1 is the tried value. */
const WRITES = {
  folder: `insert into folders (name) values ($1)`,
  folderShares: `insert into folders (name, shared_with) values (gen_random_uuid()::text, array[$1])`,
  category: `insert into categories (name, folder_id) values ($1, (select id from folders limit 1))`,
  categoryDescription: `insert into categories (name, folder_id, description) values ('C', (select id from folders limit 1), $1)`,
  title: `insert into links (title, url, category_id) values ($1, 'https://a.br', (select id from categories limit 1))`,
  url: `insert into links (title, url, category_id) values ('T', $1, (select id from categories limit 1))`,
  linkDescription: `insert into links (title, url, category_id, description) values ('T', 'https://a.br', (select id from categories limit 1), $1)`,
  invitation: `insert into shared_with (category_id, email) values ((select id from categories limit 1), $1)`,
  profileName: `update profiles set name = $1`,
} as const;

type Trial = { write: keyof typeof WRITES; label: string; value: string | null; outcome: object };

const trials: readonly Trial[] = [
  { write: 'folder', label: '50 characters', value: 'a'.repeat(50), outcome: ok },
  { write: 'folder', label: '50 emoji of two units each', value: '👍'.repeat(50), outcome: ok },
  { write: 'folder', label: '51 characters', value: 'a'.repeat(51), outcome: broken('folders_name_length') },
  { write: 'folder', label: 'nothing', value: '', outcome: broken('folders_name_length') },
  { write: 'folder', label: 'spaces alone', value: '   ', outcome: broken('folders_name_trimmed') },
  { write: 'folder', label: 'a trailing space', value: 'a ', outcome: broken('folders_name_trimmed') },
  { write: 'folder', label: 'right-to-left text', value: 'مجلد', outcome: ok },
  {
    write: 'folder',
    label: 'a name taken',
    value: 'Trabalho',
    outcome: { code: '23505', constraint: 'folders_name_unique_per_user' },
  },
  { write: 'folder', label: 'null', value: null, outcome: { code: '23502' } },
  { write: 'folderShares', label: 'an address', value: 'ana@exemplo.com.br', outcome: ok },
  {
    write: 'folderShares',
    label: 'an upper-case address',
    value: 'Ana@exemplo.com.br',
    outcome: ok,
  },
  {
    write: 'folderShares',
    label: 'a null address',
    value: null,
    outcome: broken('folders_shared_with_emails'),
  },
  { write: 'category', label: '50 characters', value: 'b'.repeat(50), outcome: ok },
  {
    write: 'category',
    label: '51 characters',
    value: 'b'.repeat(51),
    outcome: broken('categories_name_length'),
  },
  {
    write: 'category',
    label: 'a leading line break',
    value: '\nb',
    outcome: broken('categories_name_trimmed'),
  },
  { write: 'categoryDescription', label: '200 characters', value: 'd'.repeat(200), outcome: ok },
  {
    write: 'categoryDescription',
    label: '201 characters',
    value: 'd'.repeat(201),
    outcome: broken('categories_description_length'),
  },
  { write: 'categoryDescription', label: 'null', value: null, outcome: ok },
  { write: 'title', label: '100 characters', value: 't'.repeat(100), outcome: ok },
  { write: 'title', label: '101 characters', value: 't'.repeat(101), outcome: broken('links_title_length') },
  { write: 'title', label: 'blanks', value: ' \n ', outcome: broken('links_title_not_blank') },
  { write: 'url', label: '500 characters', value: `https://a.br/${'u'.repeat(487)}`, outcome: ok },
  {
    write: 'url',
    label: '501 characters',
    value: `https://a.br/${'u'.repeat(488)}`,
    outcome: broken('links_url_length'),
  },
  { write: 'url', label: 'an upper-case scheme', value: 'HTTPS://EXEMPLO.COM.BR', outcome: ok },
  { write: 'url', label: 'javascript:', value: 'javascript:alert(1)', outcome: broken('links_url_is_http') },
  {
    write: 'url',
    label: 'javascript: with an http line',
    value: 'javascript:alert(1)\nhttp://a.br',
    outcome: broken('links_url_is_http'),
  },
  { write: 'url', label: 'data:', value: 'data:text/html,oi', outcome: broken('links_url_is_http') },
  { write: 'url', label: 'a leading space', value: ' https://a.br', outcome: broken('links_url_is_http') },
  { write: 'url', label: 'no host', value: 'https://', outcome: broken('links_url_is_http') },
  {
    write: 'url',
    label: 'a line break inside',
    value: 'https://a.br/\nb',
    outcome: broken('links_url_is_http'),
  },
  { write: 'linkDescription', label: '1200 characters', value: 'd'.repeat(1200), outcome: ok },
  {
    write: 'linkDescription',
    label: '1201 characters',
    value: 'd'.repeat(1201),
    outcome: broken('links_description_length'),
  },
  { write: 'linkDescription', label: '1200 characters of four bytes', value: '👍'.repeat(1200), outcome: ok },
  { write: 'invitation', label: 'an address', value: 'bia@exemplo.com.br', outcome: ok },
  {
    write: 'invitation',
    label: 'the same address again',
    value: INVITED,
    outcome: { code: '23505' },
  },
  {
    write: 'invitation',
    label: 'an upper-case address',
    value: 'Caio@exemplo.com.br',
    outcome: ok,
  },
  {
    write: 'invitation',
    label: 'no at sign',
    value: 'exemplo.com.br',
    outcome: broken('shared_with_email_valid'),
  },
  {
    write: 'invitation',
    label: 'no dot in the domain',
    value: 'ana@exemplo',
    outcome: broken('shared_with_email_valid'),
  },
  {
    write: 'invitation',
    label: 'two addresses',
    value: 'a@b.br,c@d.br',
    outcome: broken('shared_with_email_valid'),
  },
  {
    write: 'invitation',
    label: 'a header line',
    value: 'a@b.br\nbcc:c@d.br',
    outcome: broken('shared_with_email_valid'),
  },
  {
    write: 'invitation',
    label: '255 characters',
    value: `${'a'.repeat(248)}@exe.br`,
    outcome: broken('shared_with_email_valid'),
  },
  { write: 'profileName', label: '100 characters', value: 'n'.repeat(100), outcome: ok },
  {
    write: 'profileName',
    label: '101 characters',
    value: 'n'.repeat(101),
    outcome: broken('profiles_name_length'),
  },
];

test.each(trials)('$write: $label', async ({ write, value, outcome }) => {
  expect(await readOutcome(database, mine.owner, WRITES[write], [value])).toMatchObject(outcome);
});

describe('what comes back is what went in', () => {
  const texts = ['Ação & "aspas" \\ %_', '👩‍👩‍👧 família', 'שלום', `'; drop table links; --`];
  test.each(texts)('%s', async (text) => {
    const { rows } = await queryAs(
      database,
      mine.owner,
      `insert into links (title, url, category_id) values ($1, 'https://a.br', $2) returning title, description`,
      [text, mine.categoryId],
    );
    expect(rows).toEqual([{ title: text, description: null }]);
  });
});

test('addresses are stored in lower case, however they were typed', async () => {
  const invited = await queryAs(
    database,
    mine.owner,
    `insert into shared_with (category_id, email) values ($1, ' DORA@Exemplo.com.br') returning email`,
    [mine.categoryId],
  );
  expect(invited.rows).toEqual([{ email: 'dora@exemplo.com.br' }]);
  const folder = await queryAs(
    database,
    mine.owner,
    `insert into folders (name, shared_with) values ('Letras', '{B@x.br, a@X.br}') returning shared_with`,
  );
  expect(folder.rows).toEqual([{ shared_with: ['b@x.br', 'a@x.br'] }]);
});

test('updated_at follows the clock and not the client', async () => {
  const { rows } = await queryAs<{ later: boolean }>(
    database,
    mine.owner,
    `update links set title = 'Novo', updated_at = '2001-01-01' where id = $1 returning updated_at >= now() as later`,
    [mine.linkId],
  );
  expect(rows).toEqual([{ later: true }]);
});

test('an optimistic create keeps the id the client chose, and a second attempt says so', async () => {
  const id = '00000000-0000-4000-8000-000000000001';
  const text = `insert into folders (id, name) values ($1, 'Escolhida')`;
  expect(await readOutcome(database, mine.owner, text, [id])).toEqual({ rows: 1 });
  expect(await readOutcome(database, mine.owner, text, [id])).toMatchObject({
    code: '23505',
    constraint: 'folders_pkey',
  });
});

test('links of one statement keep their order', async () => {
  const { rows } = await queryAs<{ n: number }>(
    database,
    mine.owner,
    `insert into links (title, url, category_id) select 'T', 'https://a.br', $1 from generate_series(1, 200)
     returning (extract(epoch from created_at) * 1000000)::bigint::text as n`,
    [mine.categoryId],
  );
  const times = rows.map(({ n }) => Number(n));
  expect([...times].sort((a, b) => a - b)).toEqual(times);
  expect(new Set(times).size).toBeGreaterThan(100);
});

describe('what has to be said', () => {
  /** A row that could stand, of tables that people or the service write. */
  const rowsOf = (): Readonly<Record<string, Readonly<Record<string, unknown>>>> => {
    const [user_id, category_id, id] = [
      mine.owner.id,
      mine.categoryId,
      '00000000-0000-4000-8000-0000000000aa',
    ];
    const [email, moment] = ['nova@exemplo.com.br', '2026-01-01T00:00:00Z'];
    return {
      shared_with: { category_id, email, created_at: moment, id },
      'private.left_shares': { user_id, category_id, shared_at: moment, left_at: moment },
      'private.chosen_shares': { user_id, category_id },
      'private.shares_at_rest': { user_id, category_id, created_at: moment },
      'private.share_notifications': {
        ...{ id, email, sender_id: user_id, state: 'waiting', attempts: 0 },
        ...{ queued_at: moment, next_attempt_at: moment },
      },
      'private.share_mail_addresses': { email, token: id },
      'private.account_mails': {
        ...{
          id,
          user_id,
          kind: 'deleted',
          occasion: moment,
          deadline: moment,
          state: 'waiting',
          attempts: 0,
        },
        ...{ queued_at: moment, next_attempt_at: moment },
      },
      'private.user_activity': { day: '2026-01-01', user_id },
      'private.imports': { user_id, id, started_at: moment },
    };
  };
  const insert = async (table: string, row: Readonly<Record<string, unknown>>) => {
    const columns = Object.keys(row).join(', ');
    const client = await database.admin.connect();
    try {
      await client.query('begin');
      return await client.query(
        `insert into ${table} (${columns}) select ${columns} from jsonb_populate_record(null::${table}, $1)`,
        [row],
      );
    } finally {
      await client.query('rollback');
      client.release();
    }
  };

  test.each([
    'shared_with',
    ...['left_shares', 'chosen_shares', 'shares_at_rest', 'share_notifications', 'share_mail_addresses'].map(
      (name) => `private.${name}`,
    ),
    ...['account_mails', 'user_activity', 'imports'].map((name) => `private.${name}`),
  ])('in %s is never left out', async (table) => {
    const row = rowsOf()[table] ?? {};
    // What it announces: of a category or of a folder.
    const either = table === 'private.share_notifications' ? { category_id: mine.categoryId } : {};
    expect((await insert(table, { ...row, ...either })).rowCount).toBe(1);
    for (const column of Object.keys(row))
      await expect(insert(table, { ...row, ...either, [column]: null }), column).rejects.toMatchObject({
        code: '23502',
        column,
      });
  });
});
