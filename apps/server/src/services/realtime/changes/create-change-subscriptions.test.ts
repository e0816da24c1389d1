import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createChangeFeed, type MeasuredChangeFeed } from '../feed/create-change-feed.ts';
import { type ChangeBench, startChangeBench } from './test-support/start-change-bench.ts';

const PUBLICATIONS = ['supabase_realtime', 'linkoteca_policy_sources'];

/** With the database's own log instead of a feed that is told what happened. */
let bench: ChangeBench;
let feed: MeasuredChangeFeed;
let owner: TestUser;
let guest: TestUser;

beforeAll(async () => {
  bench = await startChangeBench(
    // What a database may be set to by its operator must not change what clients read.
    `do $$ begin execute format('alter database %I set timezone to ''America/Sao_Paulo''', current_database());
       execute format('alter database %I set datestyle to ''SQL, DMY''', current_database());
       execute format('alter database %I set intervalstyle to ''iso_8601''', current_database()); end $$;
     create table public.drafts (id int primary key, body text, flag boolean, at timestamptz, span interval);
     alter publication supabase_realtime add table public.drafts`,
    ({ database, db }) => {
      feed = createChangeFeed({
        connection: database.connection,
        publications: PUBLICATIONS,
        db,
        logger: pino({ level: 'silent' }),
        now: () => new Date(),
      });
      return feed;
    },
    PUBLICATIONS,
  );
  owner = await createUser(bench.database.admin, { plan: 'pro' });
  guest = await createUser(bench.database.admin);
});
afterAll(async () => {
  await feed.stop();
  await bench.stop();
});

const as = async (text: string, values: readonly unknown[] = []): Promise<string> => {
  const { rows } = await queryAs<{ id: string }>(bench.database, owner, text, values);
  return rows[0]?.id ?? '';
};

test('a shared category’s life is told to its owner and its guest as each may see it', async () => {
  const folder = await as(`insert into public.folders (name) values ('Casa') returning id`);
  const before = await bench.listen(owner, { table: 'categories' });
  const category = await as(
    `insert into public.categories (name, folder_id) values ('Receitas', $1) returning id`,
    [folder],
  );
  // The log has told of it: who listens from now on hears what follows.
  await expect.poll(() => before.received).toHaveLength(1);
  const mine = await bench.listen(
    owner,
    { table: 'links', filter: `user_id=eq.${owner.id}` },
    { table: 'categories' },
  );
  const theirs = await bench.listen(
    guest,
    { table: 'links' },
    { table: 'categories' },
    { table: 'shared_with' },
  );
  const nobody = await bench.listen('anon', { table: '*' });
  const long = 'linha '.repeat(200).trim();
  await as(`insert into public.shared_with (category_id, email) values ($1, $2) returning category_id`, [
    category,
    guest.email,
  ]);
  const link = await as(
    `insert into public.links (title, url, category_id, description) values ('Bolo', 'https://a.br', $1, $2) returning id`,
    [category, long],
  );
  const told = (listener: typeof mine) => listener.received.map(({ data }) => `${data.type} ${data.table}`);
  await as(`update public.categories set description = 'de casa' where id = $1`, [category]);
  await expect.poll(() => told(theirs)).toContain('UPDATE categories');
  // From here on the guest's list of shares is not asked for at each change, so that it is what the log has told so far.
  bench.advanceClock(2_100);
  await as(`update public.categories set description = 'da casa' where id = $1`, [category]);
  await as(`update public.links set title = 'Torta' where id = $1`, [link]);
  await as(`delete from public.links where id = $1`, [link]);
  await expect.poll(() => told(theirs)).toContain('DELETE links');
  await as(`delete from public.categories where id = $1`, [category]);
  await expect
    .poll(() => told(mine))
    .toEqual([
      'INSERT links',
      'UPDATE categories',
      'UPDATE categories',
      'UPDATE links',
      'DELETE links',
      'DELETE categories',
    ]);
  await expect
    .poll(() => told(theirs))
    .toEqual([
      'INSERT shared_with',
      'INSERT links',
      'UPDATE categories',
      'UPDATE categories',
      'UPDATE links',
      'DELETE links',
      'DELETE categories',
      'DELETE shared_with',
    ]);
  expect(theirs.received[4]?.data).toMatchObject({
    record: { title: 'Torta', description: long },
    old_record: { title: 'Bolo', description: long },
  });
  expect(theirs.received[5]?.data.old_record).toMatchObject({ id: link, user_id: owner.id });
  expect(Date.parse(theirs.received[0]?.data.commit_timestamp ?? '')).toBeGreaterThan(Date.now() - 60_000);
  expect(nobody.texts).toEqual([]);
  for (const { subscription } of [mine, theirs, nobody]) subscription.cancel();
});

test('a long value that an update leaves alone is left out, and only the key comes of an old row, where that is all the log has', async () => {
  const listener = await bench.listen(owner, { table: 'drafts' });
  const { admin } = bench.database;
  await admin.query(`insert into public.drafts
    select 1, string_agg(md5(n::text), ''), true, '2026-11-21 20:00:00.5+00', '1 day 02:00' from generate_series(1, 2000) n`);
  await admin.query('update public.drafts set flag = false');
  await admin.query('delete from public.drafts');
  await expect.poll(() => listener.received.length).toBe(3);
  expect(listener.received[1]?.data).toMatchObject({ type: 'UPDATE', errors: null });
  expect(listener.received[1]?.data.record).toEqual({
    id: 1,
    flag: false,
    at: '2026-11-21T20:00:00.5+00:00',
    span: '1 day 02:00:00',
  });
  expect(listener.received[1]?.data.old_record).toEqual({ id: 1 });
  expect(listener.received[2]?.data.old_record).toEqual({ id: 1 });
  listener.subscription.cancel();
});

test('a shared folder’s life is told to its members from when they come until they go, and to nobody else', async () => {
  const [member, stranger] = [await createUser(bench.database.admin), await createUser(bench.database.admin)];
  const folder = await as(`insert into public.folders (name) values ('Turma') returning id`);
  const category = await as(
    `insert into public.categories (name, folder_id) values ('Leituras', $1) returning id`,
    [folder],
  );
  const interests = (email: string) =>
    [
      { table: 'folder_members', filter: `email=eq.${email}` },
      { table: 'links', filter: `category_id=eq.${category}` },
    ] as const;
  const theirs = await bench.listen(member, ...interests(member.email));
  const nobodys = await bench.listen(stranger, ...interests(member.email));
  const heard = () => theirs.received.map(({ data }) => `${data.type} ${data.table}`);
  const add = (title: string) =>
    as(`insert into public.links (url, title, category_id) values ('https://a.br/', $1, $2) returning id`, [
      title,
      category,
    ]);

  const invite = `insert into public.folder_members (folder_id, email, role) values ($1, $2, 'viewer') returning id`;
  await as(invite, [folder, member.email]);
  await expect.poll(heard).toEqual(['INSERT folder_members']);
  expect(theirs.received[0]?.data.record).not.toHaveProperty('member_id');
  await add('Dentro');
  await expect.poll(heard).toEqual(['INSERT folder_members', 'INSERT links']);

  // Held back: the member's own row is touched, and of its links nothing is told any more.
  await as(`update public.categories set is_held_back = true where id = $1 returning id`, [category]);
  await expect.poll(heard).toEqual(['INSERT folder_members', 'INSERT links', 'UPDATE folder_members']);
  await add('Reservado');
  await as(`delete from public.folder_members where folder_id = $1 returning id`, [folder]);
  await expect.poll(() => heard().at(-1)).toBe('DELETE folder_members');
  expect(heard()).toHaveLength(4);
  expect(nobodys.received).toEqual([]);
});

test('members hear that they are out of a folder whose owner comes back after deleting the account', async () => {
  const { admin } = bench.database;
  const leaver = await createUser(admin, { plan: 'pro' });
  const [member, grouped] = [await createUser(admin), await createUser(admin)];
  const group = '77777777-7777-4777-8777-777777777777';
  const folder = (
    await queryAs<{ id: string }>(
      bench.database,
      leaver,
      `insert into public.folders (name) values ('Turma') returning id`,
    )
  ).rows[0]?.id;
  const listeners = await Promise.all(
    [member, grouped].map((person) =>
      bench.listen(person, { table: 'folder_members', filter: `email=eq.${person.email}` }),
    ),
  );
  const heard = () => listeners.map(({ received }) => received.at(-1)?.data.type);
  for (const [text, ...values] of [
    [
      `insert into public.folder_members (folder_id, email, role) values ($1, $2, 'editor')`,
      folder,
      member.email,
    ],
    [`select public.save_group($1, '9B', array[$2])`, group, grouped.email],
    [`select public.share_folder_with_group($1, $2, 'viewer')`, folder, group],
  ])
    await queryAs(bench.database, leaver, text ?? '', values);
  await expect.poll(heard).toEqual(['INSERT', 'INSERT']);
  await admin.query('select close_account($1)', [leaver.id]);
  await expect.poll(heard).toEqual(['UPDATE', 'UPDATE']);
  await admin.query('update auth.users set last_sign_in_at = now() where id = $1', [leaver.id]);
  await expect.poll(heard).toEqual(['DELETE', 'DELETE']);
  for (const { subscription } of listeners) subscription.cancel();
});
