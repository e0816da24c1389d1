import { randomUUID } from 'node:crypto';
import { claimsOf } from '@linkoteca/test-kit/claims-of';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLibrary } from './support/create-library.ts';
import { nameRows } from './support/name-rows.ts';

const SCOPES = ['', 'email', 'links:read', 'links:write', 'share', 'links:read links:write share'] as const;
type Scope = (typeof SCOPES)[number];

let database: ThrowawayDatabase;
let owner: TestUser;
const ids: Record<string, string> = {};
const sessions = new Map<string, string>();

async function openSession(scopes: string | null): Promise<string> {
  const id = randomUUID();
  await database.admin.query(
    'insert into auth.sessions (id, user_id, oauth_client_id, scopes) values ($1, $2, $3, $4)',
    [id, owner.id, scopes === null ? null : ids['client'], scopes],
  );
  return id;
}

beforeAll(async () => {
  database = await createThrowawayDatabase();
  const library = await createLibrary(database, { plan: 'pro' });
  owner = library.owner;
  const admin = (text: string, ...values: unknown[]) => database.admin.query<{ id: string }>(text, values);
  Object.assign(ids, {
    user: owner.id,
    folder: library.folderId,
    category: library.categoryId,
    link: library.linkId,
    client: randomUUID(),
    group: randomUUID(),
  });
  await admin(
    `insert into auth.oauth_clients (id, registration_type, redirect_uris, grant_types, token_endpoint_auth_method, client_type)
     values ($1, 'manual', 'https://programa.test/', 'authorization_code', 'none', 'public')`,
    ids['client'],
  );
  const own = async (text: string) =>
    (await queryAs<{ id: string }>(database, owner, nameRows(text, ids))).rows[0]?.id;
  ids['empty'] =
    (await own(`insert into categories (name, folder_id) values ('Vazia', :folder) returning id`)) ?? '';
  await own(`select tag_links(array[:link]::uuid[], '{um,dois}', '{}')`);
  const tags = await admin('select id from tags where user_id = $1 order by name', owner.id);
  Object.assign(ids, { two: tags.rows[0]?.id, one: tags.rows[1]?.id });
  await own(`select open_inbox()`);
  await own(`insert into favorites (link_id) values (:link)`);
  await own(`insert into folder_looks (folder_id, color) values (:folder, 'red')`);
  await own(`insert into saved_searches (name, question) values ('Busca', 'exemplo')`);
  await own(`select save_sharing(:category, false, '{ana@exemplo.test}')`);
  await own(`select place_links(:category, array[:link]::uuid[], '{8}', true)`);
  const giver = await createLibrary(database, { plan: 'plus' });
  await queryAs(database, giver.owner, 'select save_sharing($1, false, $2)', [
    giver.categoryId,
    [owner.email],
  ]);
  ids['received'] = giver.categoryId;
  await queryAs(
    database,
    giver.owner,
    `insert into folder_members (folder_id, email, role) values ($1, $2, 'editor')`,
    [giver.folderId, owner.email],
  );
  await own(
    `insert into folder_members (folder_id, email, role) values (:folder, 'ana@exemplo.test', 'viewer') returning id`,
  );
  await own(
    `insert into folder_members (folder_id, email, role) values (:folder, 'caio@exemplo.test', 'editor') returning id`,
  );
  await own(`select offer_folder(:folder, 'caio@exemplo.test')`);
  await queryAs(database, giver.owner, 'select offer_folder($1, $2)', [giver.folderId, owner.email]);
  ids['offered'] = giver.folderId;
  await queryAs(
    database,
    giver.owner,
    `insert into links (url, title, category_id) values ('https://n.br/', 'N', $1)`,
    [giver.categoryId],
  );
  await own(`select save_group(:group, 'Turma', '{ana@exemplo.test}')`);
  await own(`select share_folder_with_group(:folder, :group, 'viewer')`);
  ids['gone'] =
    (await own(
      `insert into links (url, title, category_id) values ('https://b.br/', 'B', :empty) returning id`,
    )) ?? '';
  await own('delete from links where id = :gone returning id');
  await own(`select set_link_checks(true)`);
  await own(`select change_mail_address()`);
  await own(`select set_daily_mail(true)`);
  await admin(
    `select receive_mail(local_part, 'm1', 'bia@exemplo.test', true, '', '[]') from private.mail_addresses where user_id = $1`,
    owner.id,
  );
  const hook = () => own(`select id from create_webhook('https://recebe.exemplo.com.br/', '{link.created}')`);
  Object.assign(ids, { hook: await hook(), away: await hook() });
  await own(`select delete_webhook(:away)`);
  await own(`select send_webhook_test(:hook)`);
  await own(`select open_feed(:category)`);
  ids['asked'] = randomUUID();
  await own(`select request_access(:asked, 'Oi')`);
  await queryAs(database, await createUser(database.admin), 'select request_access($1)', [ids['empty']]);
  ids['request'] = (await own(`select id from list_access_requests()`)) ?? '';
  ids['delivery'] = (await own(`select id from list_webhook_deliveries(:hook)`)) ?? '';
  await admin(
    `insert into storage.objects (bucket_id, name, owner_id) values ('arquivos', $1 || '/a.txt', $1)`,
    owner.id,
  );
  for (const scope of SCOPES) sessions.set(scope, await openSession(scope));
  sessions.set('person', await openSession(null));
}, 60_000);
afterAll(() => database.drop());

/** What a statement comes to: rows, or why it was refused. Nothing of it stays. */
async function attempt(who: string, text: string, further: Readonly<Record<string, unknown>> = {}) {
  const session = sessions.get(who);
  const client = await database.callers.connect();
  const claims = { ...claimsOf(owner), session_id: session, iat: Math.floor(Date.now() / 1000), ...further };
  try {
    await client.query('begin');
    await client.query(
      `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true),
         set_config('search_path', 'public', true)`,
      [JSON.stringify(claims)],
    );
    const { rows } = await client.query(nameRows(text, ids));
    return JSON.stringify(rows);
  } catch (error) {
    // Which of the policies refuses is no matter.
    if (error instanceof pg.DatabaseError)
      return `${error.code} ${error.message.replace(/ "\w+_in_scope"/, '')}`;
    throw error;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

type Right = 'links:read' | 'links:write' | 'share' | 'nobody';
const GIVEN_BY: Readonly<Record<Right, readonly Scope[]>> = {
  'links:read': ['links:read', 'links:write', 'links:read links:write share'],
  'links:write': ['links:write', 'links:read links:write share'],
  share: ['share', 'links:read links:write share'],
  nobody: [],
};

/** What each asks for. The person does all of it; whoever has not been let do it comes as far as with a token that has ended. */
const ASKED: readonly (readonly [right: Right, statement: string])[] = [
  ...[
    'folders',
    'categories',
    'links',
    'favorites',
    'folder_looks',
    'manual_order',
    'tags',
    'link_tags',
    'saved_searches',
    'inboxes',
  ].map((table) => ['links:read', `select user_id from ${table} where user_id = :user limit 1`] as const),
  ['links:read', 'select user_id from library_counts'],
  ['links:read', 'select user_id from category_counts limit 1'],
  ['links:read', `select id from categories where id = :received`],
  ['links:read', `select title from links where category_id = :received`],
  ['links:write', `insert into folders (name) values ('Nova') returning name`],
  ['links:write', `update folders set name = 'Outra' where id = :folder returning name`],
  ['links:write', `delete from folders where id = :folder returning id`],
  ['links:write', `insert into categories (name, folder_id) values ('Nova', :folder) returning name`],
  ['links:write', `update categories set name = 'Outra' where id = :category returning name`],
  ['links:write', `delete from categories where id = :category returning id`],
  [
    'links:write',
    `insert into links (url, title, category_id) values ('https://a.br/', 'A', :category) returning title`,
  ],
  ['links:write', `update links set title = 'B' where id = :link returning title`],
  ['links:write', `delete from links where id = :link returning id`],
  ['links:write', `insert into favorites (category_id) values (:category) returning category_id`],
  ['links:write', `delete from favorites where user_id = :user returning link_id`],
  ['links:write', `update folder_looks set color = 'orange' where folder_id = :folder returning color`],
  ['links:write', `insert into saved_searches (name, question) values ('X', 'x') returning name`],
  ['links:write', `update saved_searches set name = 'Y' where user_id = :user returning name`],
  ['links:write', `delete from saved_searches where user_id = :user returning name`],
  ['links:write', `update tags set color = 'red' where id = :one returning color`],
  ['share', 'select email from shared_with where category_id = :category'],
  [
    'share',
    `insert into shared_with (category_id, email) values (:category, 'bia@exemplo.test') returning email`,
  ],
  ['share', 'delete from shared_with where category_id = :category returning email'],
  ['links:read', 'select name from received_folders()'],
  [
    'links:write',
    `insert into links (url, title, category_id) values ('https://a.br/', 'A', :received) returning added_by_name`,
  ],
  ['share', 'select email from folder_members where folder_id = :folder'],
  [
    'share',
    `insert into folder_members (folder_id, email, role) values (:folder, 'bia@exemplo.test', 'viewer') returning email`,
  ],
  ['share', `update folder_members set role = 'editor' where folder_id = :folder returning role`],
  ['share', 'delete from folder_members where folder_id = :folder returning email'],
  ['nobody', 'select name from list_groups()'],
  ['nobody', 'select name from list_folder_groups(:folder)'],
  ['nobody', `select save_group(:group, 'Turma', '{bia@exemplo.test}')`],
  ['nobody', 'select delete_group(:group) is not null as done'],
  ['nobody', `select restore_group(:group, '{"name": "Turma", "emails": [], "folders": []}')`],
  ['nobody', `select share_folder_with_group(:folder, :group, 'editor')`],
  ['nobody', 'select end_group_share(:folder, :group)'],
  ['nobody', `select offer_folder(:folder, 'caio@exemplo.test')`],
  ['nobody', 'select folder_offer(:folder) is not null as done'],
  ['nobody', 'select take_folder(:offered)'],
  ['nobody', 'select name from available_folders()'],
  ['nobody', 'select added from folder_news()'],
  ['nobody', 'select name from category_people(:category)'],
  ['nobody', 'select plan from profiles'],
  ['nobody', `update profiles set name = 'Outra' where id = :user returning name`],
  ['nobody', `select name from storage.objects`],
  [
    'nobody',
    `insert into storage.objects (bucket_id, name) values ('arquivos', :user || '/b.txt') returning bucket_id`,
  ],

  ['links:read', `select title from search_links('exemplo')`],
  ['links:read', `select title from search_links_by('exemplo')`],
  ['links:read', `select count_links_by('exemplo')`],
  ['links:read', `select total from count_searches('[{"term": "exemplo"}]')`],
  ['links:read', `select title from search_received_links('exemplo')`],
  ['links:read', `select suggest_search('exempio')`],
  ['links:read', `select link_id from find_links_by_url('{https://exemplo.com.br/}')`],
  ['links:read', `select private.links_of_address('https://exemplo.com.br/', null) as id`],
  ['links:read', `select unnest(kept_addresses('{-1778}')) as hash`],
  ['links:read', `select id from arranged_links(:category)`],
  ['links:read', `select link_id from shared_tags(array[:link]::uuid[])`],
  ['links:read', `select access from shared_category(:category)`],
  ['links:read', `select id from shared_links(:category)`],
  ['links:write', `select tag_links(array[:link]::uuid[], '{três}', '{}') is not null as done`],
  ['links:write', `select delete_tags(array[:one]::uuid[]) is not null as done`],
  ['links:write', `select merge_tags(array[:one]::uuid[], :two) is not null as done`],
  ['links:write', `select place_links(:category, array[:link]::uuid[], '{9}', true)`],
  ['links:write', `select undo_deletion('link', array[:gone]::uuid[])`],
  ['links:write', `select delete_links(array[:link]::uuid[])`],
  ['links:write', `select open_inbox() is not null as done`],
  ['links:write', `select capture_link(gen_random_uuid(), 'https://c.br/', 'C') is not null as done`],
  ['links:write', `select note_cover(:link, 'removed') is not null as done`],
  ['share', `select save_sharing(:category, false, '{bia@exemplo.test}') is not null as done`],
  ['nobody', `select import_library(gen_random_uuid(), 1, '{"folders": []}') is not null`],
  ['nobody', `select session_id from list_devices()`],
  ['nobody', `select end_other_devices()`],
  ['nobody', `select total from link_checks()`],
  ['nobody', `select senders from mail_address()`],
  ['nobody', `select reason from list_refused_mails()`],
  ['nobody', `select change_mail_address() is not null`],
  ['nobody', `select give_up_mail_address()`],
  ['nobody', `select allow_mail_sender('ladrao@exemplo.test')`],
  ['nobody', `select forbid_mail_sender('ana@exemplo.test')`],
  ['nobody', `select allow_any_mail_sender(true)`],
  ['nobody', `select true from (select daily_mail() as is_on) as d where d.is_on`],
  ['nobody', `select set_daily_mail(false)`],
  ['nobody', `select url from list_webhooks()`],
  ['nobody', `select secret from create_webhook('https://ladrao.exemplo.com.br/', '{link.created}')`],
  ['nobody', `select change_webhook(:hook, 'https://ladrao.exemplo.com.br/', '{link.created}', true)`],
  ['nobody', `select rotate_webhook_secret(:hook)`],
  ['nobody', `select send_webhook_test(:hook)`],
  ['nobody', `select type from list_webhook_deliveries(:hook)`],
  ['nobody', `select resend_webhook_delivery(:delivery)`],
  ['nobody', `select delete_webhook(:hook)`],
  ['nobody', `select restore_webhook(:away)`],
  ['nobody', `select feed_key(:category) is not null as has`],
  ['nobody', `select open_feed(:category, renew => true) is not null as has`],
  ['nobody', `select close_feed(:category)`],
  ['nobody', `select act from category_history(:category)`],
  ['nobody', `select request_access(gen_random_uuid())`],
  ['nobody', `select note from list_own_access_requests()`],
  ['nobody', `select email from list_access_requests()`],
  ['nobody', `select answer_access_request(:request, true)`],
  ['nobody', `select ends_at is null as endless from page_limits(:category)`],
  ['nobody', `select set_page_end(:category, now() + interval '1 day')`],
  ['nobody', `select set_page_password(:category, 'outra senha')`],
  ['nobody', `select has_requested_access(:asked) as has`],
  ['nobody', `select copy_shared_category(:received, :folder) is not null`],
  ['nobody', `select queue_share_notifications(:category, '{ana@exemplo.test}')`],
];

const allowed = ASKED.flatMap(([right, text]) => GIVEN_BY[right].map((scope) => [scope, text] as const));
const refused = ASKED.flatMap(([right, text]) =>
  SCOPES.filter((scope) => !GIVEN_BY[right].includes(scope)).map((scope) => [scope, text] as const),
);

describe('a program that was let', () => {
  test.each(allowed)('%s does as the person does: %s', async (scope, text) => {
    const done = await attempt('person', text);
    expect(done).not.toMatch(/^\d/);
    expect(done).not.toBe('[]');
    expect(await attempt(scope, text)).toBe(done);
  });

  test.each(refused)('%j does not: %s', async (scope, text) => {
    const stopped = await attempt('ended', text, { session_id: randomUUID() });
    expect(await attempt('person', text), 'the person does').not.toBe(stopped);
    expect(await attempt(scope, text)).toBe(stopped);
  });
});

describe('links', () => {
  test.each(['', 'email', 'links:read', 'share'])('stay where they are for %j', async (scope) => {
    const move = 'select move_links(array[:link]::uuid[], :empty) as moved';
    expect(await attempt('links:write', move)).toBe('[{"moved":1}]');
    expect(await attempt(scope, move)).toMatch(/^(?:PT404 .*|\[\{"moved":0\}\])$/);
  });
});

describe('what others see', () => {
  const SHARING = [
    `update categories set is_public = true where id = :empty returning name`,
    `update folders set is_public = true where id = :folder returning name`,
    `update folders set shared_with = '{bia@exemplo.test}' where id = :folder returning name`,
    `insert into folders (name, is_public) values ('Nova', true) returning name`,
    `insert into folders (name, shared_with) values ('Nova', '{bia@exemplo.test}') returning name`,
    `insert into categories (name, folder_id, is_public) values ('Nova', :folder, true) returning name`,
    `insert into categories (name, folder_id, is_held_back) values ('Nova', :folder, true) returning name`,
    `update categories set is_held_back = true where id = :empty returning name`,
  ];
  test.each(SHARING)('is not changed by whoever may change links: %s', async (text) => {
    expect(await attempt('links:write', text)).toMatch(/^42501 Este programa/);
    const done = await attempt('person', text);
    expect(done).toMatch(/name/);
    expect(await attempt('links:read links:write share', text)).toBe(done);
  });

  test.each([
    ['category', 'guests', `select save_sharing(:shared, false, '{bia@exemplo.test}') as id`],
    [
      'folder',
      'members',
      `insert into folder_members (folder_id, email, role) values (:shared, 'bia@exemplo.test', 'editor') returning id`,
    ],
    ['folder', 'an empty group', `select share_folder_with_group(:shared, :nobody, 'editor') as id`],
  ])('is not given back by whoever may change links: a %s with %s', async (kind, whom, share) => {
    const own = async (text: string) =>
      (await queryAs<{ id: string }>(database, owner, nameRows(text, ids))).rows[0]?.id ?? '';
    ids['nobody'] = randomUUID();
    await own(`select save_group(:nobody, 'Com ${whom}') as id`);
    ids['shared'] = await own(
      kind === 'folder'
        ? `insert into folders (name) values ('Com ${whom}') returning id`
        : `insert into categories (name, folder_id) values ('Com ${whom}', :folder) returning id`,
    );
    await own(share);
    const table = kind === 'folder' ? 'folders' : 'categories';
    await own(`delete from ${table} where id = :shared returning id`);
    const back = `select undo_deletion('${kind}', array[:shared]::uuid[]) as back`;
    expect(await attempt('links:write', back)).toMatch(/^42501 Este programa/);
    const done = await attempt('person', back);
    expect(done).toMatch(kind === 'folder' ? /"folders":1/ : /"categories":1/);
    expect(await attempt('links:read links:write share', back)).toBe(done);
  });
});

describe('what says how far a token goes', () => {
  const READ = 'select id from links where id = :link';

  test('is its session, whatever the token itself says', async () => {
    const all = { client_id: ids['client'], scope: 'links:read links:write share' };
    expect(await attempt('email', READ, all)).toBe('[]');
    expect(await attempt('links:read', READ, { client_id: undefined, scope: undefined })).not.toBe('[]');
    expect(await attempt('person', READ, { client_id: ids['client'], scope: 'email' })).not.toBe('[]');
  });

  test('is the token where it has no session, which only an operator can sign', async () => {
    const without = { session_id: undefined, client_id: randomUUID() };
    expect(await attempt('', READ, { ...without, scope: 'links:read' })).not.toBe('[]');
    expect(await attempt('', READ, { ...without, scope: 'email' })).toBe('[]');
    expect(await attempt('', READ, without)).toBe('[]');
    expect(await attempt('', READ, { session_id: undefined })).not.toBe('[]');
  });

  test.each(['links', 'links:reader', 'Links:read', 'links:read,links:write', ' ', '*', 'links:*'])(
    'is a whole word: not %j',
    async (scope) => {
      const session_id = await openSession(scope);
      expect(await attempt('', READ, { session_id })).toBe('[]');
    },
  );

  test('ends with the session, the ban and the closing of the account', async () => {
    const session_id = await openSession('links:read');
    const read = () => attempt('', READ, { session_id });
    expect(await read()).not.toBe('[]');
    await database.admin.query(
      `update auth.users set banned_until = now() + interval '1 day' where id = $1`,
      [owner.id],
    );
    expect(await read()).toBe('[]');
    await database.admin.query('update auth.users set banned_until = null where id = $1', [owner.id]);
    await database.admin.query(
      `insert into private.account_closures (user_id, reason) values ($1, 'inactivity')`,
      [owner.id],
    );
    expect(await read()).toBe('[]');
    await database.admin.query('delete from private.account_closures where user_id = $1', [owner.id]);
    expect(await read()).not.toBe('[]');
    await database.admin.query('delete from auth.sessions where id = $1', [session_id]);
    expect(await read()).toBe('[]');
  });

  test('is the same for a token that the person made, which is no program’s', async () => {
    const session_id = await openSession('links:read');
    await database.admin.query('update auth.sessions set oauth_client_id = null where id = $1', [session_id]);
    expect(await attempt('', READ, { session_id })).not.toBe('[]');
    const write = `delete from links where id = :link returning id`;
    expect(await attempt('', write, { session_id })).toBe('[]');
  });

  test('is none where nothing was allowed', async () => {
    const session_id = await openSession('links:read');
    await database.admin.query('update auth.sessions set scopes = null where id = $1', [session_id]);
    for (const text of [READ, 'delete from links where id = :link returning id'])
      expect(await attempt('', text, { session_id })).toBe('[]');
  });

  test('leaves a stranger’s rows a stranger’s', async () => {
    const stranger = await createUser(database.admin);
    const { rows } = await database.admin.query<{ id: string }>(
      `insert into auth.sessions (id, user_id, oauth_client_id, scopes) values ($1, $2, $3, $4) returning id`,
      [randomUUID(), stranger.id, ids['client'], 'links:read links:write share'],
    );
    const own = { ...claimsOf(stranger), session_id: rows[0]?.id };
    for (const text of [READ, 'delete from links where id = :link returning id'])
      expect(await attempt('', text, own)).toBe('[]');
    // Somebody else's session is nobody's.
    expect(await attempt('', READ, { session_id: rows[0]?.id })).toBe('[]');
  });
});

describe('the list of devices', () => {
  test('has no programs, and ending the other devices ends none', async () => {
    const listed = JSON.parse(await attempt('person', 'select session_id from list_devices()')) as {
      session_id: string;
    }[];
    const people = listed.map((one) => one.session_id);
    expect(people).toContain(sessions.get('person'));
    for (const scope of SCOPES) expect(people).not.toContain(sessions.get(scope));
    await openSession(null);
    expect(await attempt('person', 'select end_other_devices() as ended')).toBe('[{"ended":1}]');
  });
});
