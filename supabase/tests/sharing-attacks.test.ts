import { claimsOf } from '@linkoteca/test-kit/claims-of';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, setPlan, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';
import { nameRows } from './support/name-rows.ts';
import { snapshotLibrary } from './support/snapshot-library.ts';

let database: ThrowawayDatabase;
let victim: Library;
const OWNER_EMAIL = 'dona-secreta@exemplo.com.br';
const GUEST_EMAIL = 'convidada-secreta@exemplo.com.br';
const KINDS = ['open', 'first', 'second', 'closed'] as const;
type Kind = (typeof KINDS)[number];
const ids: Record<string, string> = { missing: '99999999-9999-4999-8999-999999999999' };
const people: Record<string, TestCaller> = { visitor: 'anon' };
let before: unknown;

/**
 * A victim with a public category, two restricted ones, a private one; each with a description and a link that name
 * it. `free` is invited to both restricted ones and may open the first; `former` was invited to it.
 */
beforeAll(async () => {
  database = await createThrowawayDatabase();
  victim = await createLibrary(database, { plan: 'plus', name: 'Marta', email: OWNER_EMAIL });
  const { owner, folderId } = victim;
  const run = (text: string, values: readonly unknown[] = []) => queryAs(database, owner, text, values);
  for (const name of ['stranger', 'invited', 'free', 'former', 'lapsed'])
    people[name] = await createUser(database.admin, { plan: 'plus', name });
  ids['folder'] = folderId;
  ids['owner'] = owner.id;
  await run(`update folders set name = 'Pasta secreta'`);
  for (const kind of KINDS) {
    const id = await createCategory(database, owner, folderId, `Nome ${kind}`);
    ids[kind] = id;
    await run(`update categories set description = $2 where id = $1`, [id, `Texto ${kind}`]);
    const { rows } = await queryAs<{ id: string }>(
      database,
      owner,
      `insert into links (url, title, category_id) values ($1, $2, $3) returning id`,
      [`https://marca.br/${kind}`, `Marca ${kind}`, id],
    );
    ids[`${kind}Link`] = rows[0]?.id ?? '';
  }
  const email = (name: string) => (people[name] as TestUser).email;
  await run(`select save_sharing($1, true, '{}')`, [ids['open']]);
  for (const kind of ['first', 'second'])
    await run(`select save_sharing($1, false, $2)`, [
      ids[kind],
      [GUEST_EMAIL, email('invited'), email('free'), ...(kind === 'first' ? [email('former')] : [])],
    ]);
  await run(`delete from shared_with where email = $1`, [email('former')]);
  for (const name of ['free', 'lapsed']) await setPlan(database.admin, (people[name] as TestUser).id, 'free');
  before = await snapshotLibrary(database, owner);
});
afterAll(() => database.drop());

/** What a statement brings the caller to read, of rows or of a refusal; it is taken back. */
async function probe(caller: TestCaller, text: string): Promise<string> {
  const client = await database.callers.connect();
  try {
    await client.query('begin');
    await client.query(
      `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true), set_config('search_path', 'public', true)`,
      typeof caller === 'string'
        ? [caller, JSON.stringify({ role: caller })]
        : ['authenticated', JSON.stringify(claimsOf(caller))],
    );
    return JSON.stringify((await client.query(text)).rows);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    const { code, message, detail, hint, constraint, table } = error;
    return JSON.stringify({ code, message, detail, hint, constraint, table });
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const TABLES = [
  'folders',
  'categories',
  'links',
  'shared_with',
  'profiles',
  'subscribers',
  'library_counts',
  'category_counts',
  'manual_order',
  'tags',
  'link_tags',
  'folder_members',
];
const SEARCHES = [
  `select * from search_links('marca')`,
  `select * from search_links('marca', 2)`,
  `select * from suggest_search('marcca')`,
  `select * from search_links_by('marca', saved_before => now())`,
  `select * from search_received_links('marca')`,
  `select * from search_received_links(owner => 'marta')`,
  `select * from search_received_links('marca', owner => '${OWNER_EMAIL}')`,
  `select * from find_links_by_url('{https://marca.br/open,https://marca.br/first,https://marca.br/second,https://marca.br/closed}')`,
  `select * from get_all_profiles()`,
  `select * from get_all_user_emails()`,
  `select * from undo_deletion('folder', array[:folder]::uuid[])`,
  `select c.*, f.*, l.*, s.* from categories c left join folders f on f.id = c.folder_id
     left join links l on l.category_id = c.id left join shared_with s on s.category_id = c.id`,
  `select * from received_folders()`,
  `select * from realtime.messages`,
];
/** With the id of a category in the place of `:x`, and of a link in it in that of `:y`. */
const QUESTIONS = [
  `select * from shared_category(:x)`,
  `select * from shared_links(:x, 100)`,
  `select * from arranged_links(:x)`,
  `select * from category_covers(:x, array[:y]::uuid[])`,
  `select * from broken_links(array[:y]::uuid[])`,
  `select * from search_links_by(broken => true)`,
  `select * from shared_tags(array[:y]::uuid[])`,
  `select c.* from categories c where id = :x or user_id = :owner`,
  `select l.* from links l where category_id = :x or id = :y or url like '%marca%'`,
  `select * from shared_with where category_id = :x`,
  `select * from categories c where exists (select from links l where l.category_id = c.id and title like 'Marca%')`,
];
const ATTACKS = [
  `insert into links (url, title, category_id) values ('https://a.br', 'A', :x)`,
  `insert into links (url, title, category_id, user_id) values ('https://a.br', 'A', :x, :owner)`,
  `insert into categories (name, folder_id) values ('A', :folder)`,
  `insert into categories (name, folder_id, user_id, is_public) values ('A', :folder, :owner, true)`,
  `insert into shared_with (category_id, email) values (:x, 'eu@a.br') returning *`,
  `insert into shared_with (category_id, email) values (:x, '${GUEST_EMAIL}') on conflict do nothing`,
  `insert into folder_members (folder_id, email, role) values (:folder, auth.email(), 'manager') returning id`,
  `update folder_members set role = 'manager' where folder_id = :folder returning id`,
  `delete from folder_members where folder_id = :folder returning id`,
  `update categories set is_held_back = false where id = :x returning *`,
  `update categories set is_public = true where id = :x returning *`,
  `update links set title = 'Meu' where category_id = :x returning *`,
  `delete from categories where id = :x returning *`,
  `delete from links where id = :y returning *`,
  `select tag_links(array[:y]::uuid[], '{a}')`,
  `delete from shared_with where category_id = :x and email <> auth.email() returning *`,
  `select save_sharing(:x, true, '{}')`,
  `select save_sharing(:x, false, '{}')`,
  `select save_sharing(:x, false, '{${GUEST_EMAIL}}')`,
  `select queue_share_notifications(:x, '{${GUEST_EMAIL}}')`,
  `select note_cover(:y, 'removed')`,
  `select capture_link(:y, 'https://exemplo.com.br/', 'X', null, :x)`,
  `select move_links(array[:y]::uuid[], :x)`,
  `select move_links(array[:y]::uuid[], gen_random_uuid())`,
  `select place_links(:x, array[:y]::uuid[], '{8}')`,
  `select place_links(:x, '{}', '{}', false)`,
  `select delete_links(array[:y]::uuid[])`,
  `select return_to_share(:x)`,
  `select open_share(:x), opened_share()`,
  `select leave_share(:x), has_left_share(:x)`,
  `select undo_deletion('category', array[:x]::uuid[])`,
  `select undo_deletion('link', array[:y]::uuid[])`,
  `select request_access(:x, 'Deixe'), has_requested_access(:x), (select count(*) from list_access_requests())`,
  `select answer_access_request(:x, true)`,
  `select open_locked_page(:x, 'adivinha'), 1`,
  `select set_page_password(:x, 'minha senha')`,
  `select set_page_end(:x, now() + interval '1 day'), (select count(*) from page_limits(:x))`,
];

/** Each statement about each category and about one that does not exist. */
const about = (statements: readonly string[], kind: Kind | 'missing') =>
  statements.map((text) =>
    nameRows(text, { ...ids, x: ids[kind] ?? '', y: ids[`${kind}Link`] ?? ids['missing'] ?? '' }),
  );

/** Everything of the victim that a text could give away, and what each person may know of it. */
const secretsOf = (kind: Kind) => [
  `Nome ${kind}`,
  `Texto ${kind}`,
  `Marca ${kind}`,
  `marca.br/${kind}`,
  ids[`${kind}Link`] ?? '',
];
const heads = (kind: Kind) => secretsOf(kind).slice(0, 2);
const knowledge: Record<string, () => readonly string[]> = {
  visitor: () => secretsOf('open'),
  stranger: () => secretsOf('open'),
  former: () => secretsOf('open'),
  lapsed: () => secretsOf('open'),
  // An invited person reads the category's row: whose it is and in which folder it lies, by id.
  invited: () => [
    ...[...secretsOf('open'), ...secretsOf('first'), ...secretsOf('second')],
    ...[ids['first'], ids['second'], ids['folder'], ids['owner']].map(String),
  ],
  free: () => [
    ...[...secretsOf('open'), ...secretsOf('first'), ...heads('second')],
    ...[ids['first'], ids['second'], ids['folder'], ids['owner']].map(String),
  ],
};

describe.each(Object.keys(knowledge))('%s', (name) => {
  const person = () => people[name] as TestCaller;

  test('learns nothing of the victim but what is theirs to see', async () => {
    const allowed = new Set(knowledge[name]?.());
    const secrets = [
      ...KINDS.flatMap(secretsOf),
      ...KINDS.map((kind) => ids[kind] ?? ''),
      ...[OWNER_EMAIL, GUEST_EMAIL, 'Pasta secreta', ids['folder'] ?? '', ids['owner'] ?? ''],
    ].filter((secret) => !allowed.has(secret));
    const statements = [
      ...TABLES.map((table) => `select * from ${table}`),
      ...SEARCHES.map((text) => nameRows(text, ids)),
      ...KINDS.flatMap((kind) => about([...QUESTIONS, ...ATTACKS], kind)),
    ];
    const leaks: string[] = [];
    for (const text of statements) {
      const answer = await probe(person(), text);
      // What they said themselves is no secret.
      for (const secret of secrets)
        if (answer.includes(secret) && !text.includes(secret)) leaks.push(`${secret} by: ${text}`);
    }
    expect(leaks).toEqual([]);
  });

  test('counts nothing but what is theirs to see', async () => {
    const counted: Record<string, string> = {};
    for (const table of ['folders', 'categories', 'links', 'shared_with', 'category_counts'])
      counted[table] = await probe(person(), `select count(*)::int as n from ${table}`);
    const n = (value: number) => JSON.stringify([{ n: value }]);
    const [categories, links] = { invited: [2, 2], free: [2, 1] }[name] ?? [0, 0];
    expect(counted).toEqual(
      name === 'visitor'
        ? Object.fromEntries(Object.keys(counted).map((table) => [table, expect.stringContaining('42501')]))
        : {
            folders: n(0),
            categories: n(categories ?? 0),
            links: n(links ?? 0),
            shared_with: n(categories ?? 0),
            category_counts: n(0),
          },
    );
  });

  test('is answered about a private category as about one that does not exist', async () => {
    const answers = async (kind: Kind | 'missing') => {
      const heard: string[] = [];
      for (const text of about([...QUESTIONS, ...ATTACKS], kind))
        heard.push(
          (await probe(person(), text))
            .replaceAll(ids[kind] ?? '', ':x')
            .replaceAll(ids[`${kind}Link`] ?? ids['missing'] ?? '', ':y'),
        );
      return heard;
    };
    expect((await answers('closed')).map((text) => text.replaceAll(':y', ':x'))).toEqual(
      (await answers('missing')).map((text) => text.replaceAll(':y', ':x')),
    );
  });

  test('can copy what they see, and is told the same of everything else', async () => {
    const copied: Record<string, string> = {};
    for (const kind of [...KINDS, 'missing' as const])
      copied[kind] = await probe(
        person(),
        `with folder as (insert into folders (name) values ('Minha') returning id)
         select 'copied' as done from folder, lateral (select copy_shared_category('${ids[kind]}', folder.id)) as c`,
      );
    const seen = expect.stringContaining('copied');
    const unseen = expect.stringContaining('Categoria não encontrada');
    const invited = name === 'invited' || name === 'free';
    if (name === 'visitor') {
      const refused = expect.stringContaining('42501');
      expect(copied).toEqual({
        open: refused,
        first: refused,
        second: refused,
        closed: refused,
        missing: refused,
      });
      return;
    }
    expect(copied).toEqual({
      open: seen,
      first: invited ? seen : unseen,
      second: name === 'free' ? expect.stringContaining('plan_limit_shares') : invited ? seen : unseen,
      closed: unseen,
      missing: unseen,
    });
  });
});

test('after all attacks the victim’s library is as it was', async () => {
  expect(await snapshotLibrary(database, victim.owner)).toEqual(before);
});

test.each(['stranger', 'visitor'])('%s hears and says nothing in private channels', async (name) => {
  const topic = `shared:${ids['first']}`;
  await database.admin.query(`select realtime.send('{"segredo": 1}', 'e', $1, true)`, [topic]);
  const caller = people[name] as TestCaller;
  expect(await probe(caller, `select * from realtime.messages where topic = '${topic}'`)).toBe('[]');
  expect(
    await probe(
      caller,
      `insert into realtime.messages (topic, extension, event, private) values ('${topic}', 'broadcast', 'changed', false)`,
    ),
  ).toContain('42501');
});

test('visitors and people may call these functions, and no others', async () => {
  const { rows } = await database.admin.query<Record<'anon' | 'authenticated', string[]>>(
    `select array_agg(distinct p.proname::text order by p.proname::text) filter (where has_function_privilege('anon', p.oid, 'execute')) as anon,
       array_agg(distinct p.proname::text order by p.proname::text) filter (where has_function_privilege('authenticated', p.oid, 'execute')) as authenticated
     from pg_proc p where p.pronamespace = 'public'::regnamespace
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  );
  expect(rows).toEqual([
    {
      anon: ['category_covers', 'open_locked_page', 'shared_category', 'shared_folder', 'shared_links'],
      // Those of the administrator answer nobody else (admin.test.ts).
      authenticated: [
        'admin_audit',
        'admin_change_plan',
        'admin_list_users',
        'admin_overview',
        'admin_statistics',
        'admin_subscriptions',
        'admin_user_links',
        'allow_any_mail_sender',
        'allow_mail_sender',
        'answer_access_request',
        'arranged_links',
        'available_folders',
        'broken_links',
        'capture_link',
        'category_covers',
        'category_history',
        'category_people',
        'change_mail_address',
        'change_webhook',
        'close_feed',
        'copy_shared_category',
        'count_links_by',
        'count_searches',
        'create_webhook',
        'daily_mail',
        'delete_from_bin',
        'delete_group',
        'delete_links',
        'delete_tags',
        'delete_webhook',
        'empty_bin',
        'end_device',
        'end_folder_offer',
        'end_group_share',
        'end_other_devices',
        'feed_key',
        'find_links_by_url',
        'folder_news',
        'folder_offer',
        'forbid_mail_sender',
        'get_all_profiles',
        'get_all_user_emails',
        'give_up_mail_address',
        'has_left_share',
        'has_requested_access',
        'import_library',
        'is_admin',
        'is_inbox',
        'join_repeated_links',
        'kept_addresses',
        'last_import',
        'leave_share',
        'link_checks',
        'list_access_requests',
        'list_bin',
        'list_bin_rows',
        'list_devices',
        'list_folder_groups',
        'list_groups',
        'list_own_access_requests',
        'list_refused_mails',
        'list_repeated_links',
        'list_webhook_deliveries',
        'list_webhooks',
        'mail_address',
        'merge_tags',
        'move_links',
        'note_cover',
        'offer_folder',
        'open_feed',
        'open_inbox',
        'open_locked_page',
        'open_share',
        'opened_share',
        'page_limits',
        'place_links',
        'preview_import',
        'program_act',
        'queue_share_notifications',
        'received_folders',
        'request_access',
        'resend_webhook_delivery',
        'restore_from_bin',
        'restore_group',
        'restore_webhook',
        'return_to_share',
        'rotate_webhook_secret',
        'save_group',
        'save_sharing',
        'search_links',
        'search_links_by',
        'search_received_links',
        'see_category',
        'send_webhook_test',
        'set_daily_mail',
        'set_link_checks',
        'set_page_end',
        'set_page_password',
        'share_folder_with_group',
        'shared_category',
        'shared_links',
        'shared_tags',
        'suggest_search',
        'tag_links',
        'take_folder',
        'take_reopening_notice',
        'undo_deletion',
        'undo_import',
        'undo_join',
        'undo_program_act',
        'undo_tag_change',
      ],
    },
  ]);
});
