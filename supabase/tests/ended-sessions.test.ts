import { randomUUID } from 'node:crypto';
import { claimsOf } from '@linkoteca/test-kit/claims-of';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import type { TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLibrary } from './support/create-library.ts';
import { nameRows } from './support/name-rows.ts';

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

type SignedIn = { readonly user: TestUser; readonly session: string; readonly linkId: string };

async function signIn(): Promise<SignedIn> {
  const { owner: user, linkId, categoryId } = await createLibrary(database, { plan: 'plus' });
  await queryAs(database, user, `select save_sharing($1, false, '{ana@a.br}')`, [categoryId]);
  await queryAs(database, user, 'select change_mail_address()');
  await database.admin.query(
    `insert into storage.objects (bucket_id, name, owner_id) values ('arquivos', $1 || '/a.txt', $1)`,
    [user.id],
  );
  return { user, session: await openSession(user), linkId };
}
async function openSession({ id: userId }: TestUser): Promise<string> {
  const id = randomUUID();
  await database.admin.query('insert into auth.sessions (id, user_id) values ($1, $2)', [id, userId]);
  return id;
}

/** As the bearer of a token of that session. @returns the rows, or the refusal's code. */
async function withToken(
  { user, session }: { readonly user: TestUser; readonly session: string | undefined },
  text: string,
  topic = '',
) {
  const client = await database.callers.connect();
  try {
    await client.query('begin');
    await client.query(
      `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true),
        set_config('search_path', 'public', true), set_config('realtime.topic', $2, true)`,
      [JSON.stringify({ ...claimsOf(user), session_id: session, iat: Math.floor(Date.now() / 1000) }), topic],
    );
    const { rows } = await client.query(text);
    await client.query('commit');
    return rows;
  } catch (error) {
    await client.query('rollback');
    if (error instanceof pg.DatabaseError) return error.code;
    throw error;
  } finally {
    client.release();
  }
}

const run = (text: string, ...values: unknown[]) => database.admin.query(text, values);
const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
const waitForLock = () => expect.poll(async () => (await run(WAITING)).rowCount).toBe(1);
const BANNED = `update auth.users set banned_until = now() + interval '1 day' where id = $1`;
const ADD_FACTOR = `insert into auth.mfa_factors (id, user_id, factor_type, status, secret, created_at, updated_at)
  values (gen_random_uuid(), $1, 'totp', 'verified', 'x', now(), now())`;
const WAYS: readonly (readonly [string, (who: SignedIn) => Promise<unknown>])[] = [
  ['the session is gone', ({ session }) => run('delete from auth.sessions where id = $1', session)],
  [
    'the session has reached its end',
    ({ session }) => run('update auth.sessions set not_after = now() where id = $1', session),
  ],
  ['the account is banned', ({ user }) => run(BANNED, user.id)],
  [
    'the account is deleted and its row kept',
    ({ user }) => run('update auth.users set deleted_at = now() where id = $1', user.id),
  ],
  ['a second factor is there that its session has not proven', ({ user }) => run(ADD_FACTOR, user.id)],
  ['the account is deleted', ({ user }) => run('delete from auth.users where id = $1', user.id)],
];

const READ = [
  'select id from profiles',
  'select id from folders',
  'select id from categories',
  'select id from links',
  'select category_id from shared_with',
  'select user_id from subscribers',
  'select name from storage.objects',
  `select * from search_links('exemplo')`,
  `select * from find_links_by_url('{https://exemplo.com.br/}')`,
  // The bucket of that address.
  `select unnest(kept_addresses('{-1778}'))`,
  'select * from list_devices()',
  'select * from mail_address()',
];
const WRITTEN = [
  `update folders set name = 'x' returning id`,
  `update links set title = 'x' returning id`,
  `update storage.objects set metadata = '{}' returning id`,
  'delete from links returning id',
];

describe.each(WAYS)('once %s, its token', (_way, end) => {
  test('reads nothing and writes nothing, at once, and a stranger’s still does', async () => {
    const [gone, stranger] = await Promise.all([signIn(), signIn()]);
    for (const text of READ) expect(await withToken(gone, text), text).not.toEqual([]);
    await end(gone);
    for (const text of [...READ, ...WRITTEN]) {
      expect(await withToken(gone, text), text).toEqual([]);
      expect(await withToken(stranger, text), text).not.toEqual([]);
    }
    const insert = `insert into folders (name) values ('y') returning name`;
    expect(await withToken(gone, insert)).toBe('42501');
    expect(await withToken(stranger, insert)).toEqual([{ name: 'y' }]);
    const file = ({ user }: SignedIn) =>
      `insert into storage.objects (bucket_id, name) values ('arquivos', '${user.id}/b.txt') returning bucket_id`;
    expect(await withToken(gone, file(gone))).toBe('42501');
    expect(await withToken(stranger, file(stranger))).toHaveLength(1);
    for (const call of ['end_other_devices()', `end_device('${gone.session}')`])
      expect(await withToken(gone, `select ${call}`), call).toBe('PT401');
  });
});

describe('a token', () => {
  test('of a banned account acts again when the ban is over', async () => {
    const who = await signIn();
    await run(BANNED, who.user.id);
    expect(await withToken(who, 'select id from links')).toEqual([]);
    await run('update auth.users set banned_until = now() where id = $1', who.user.id);
    expect(await withToken(who, 'select id from links')).toHaveLength(1);
  });

  test('that names no session is good for its account alone, until that is banned', async () => {
    const { user } = await signIn();
    const operators = { user, session: undefined };
    expect(await withToken(operators, 'select id from links')).toHaveLength(1);
    await run(BANNED, user.id);
    expect(await withToken(operators, 'select id from links')).toEqual([]);
  });

  test.each([
    '00000000-0000-4000-8000-000000000000',
    '00000000-0000-0000-0000-000000000000',
    'nenhuma',
    `' or true --`,
  ])('that names the session %j, which there is not, is good for nothing', async (session) => {
    const { user } = await signIn();
    expect(await withToken({ user, session }, 'select id from links')).toEqual([]);
  });

  test('is judged alike where the server has read the claims', async () => {
    const [ana, stranger] = await Promise.all([signIn(), signIn()]);
    const read = async ({ user, session }: Pick<SignedIn, 'user' | 'session'>) => {
      const { rows } = await database.admin.query(
        `select case when set_config('request.jwt.claims', $1, true) <> '' and set_config('request.jwt.claim.sub', $2, true) <> ''
           and set_config('request.jwt.claim.session_id', $3, true) <> '' then private.is_account_open() end as open`,
        [JSON.stringify({ ...claimsOf(user), session_id: session }), user.id, session],
      );
      return rows[0]?.open;
    };
    expect(await read(ana)).toBe(true);
    expect(await read({ ...ana, session: stranger.session })).toBe(false);
    await run('delete from auth.sessions where id = $1', ana.session);
    expect(await read(ana)).toBe(false);
  });

  test('does not borrow somebody else’s session', async () => {
    const [one, other] = await Promise.all([signIn(), signIn()]);
    expect(await withToken({ user: one.user, session: other.session }, 'select id from links')).toEqual([]);
  });
});

describe('ending the other devices', () => {
  test('ends them, tells their pages alone, and leaves the one that asks and strangers', async () => {
    const [here, stranger] = await Promise.all([signIn(), signIn()]);
    const there = { ...here, session: await openSession(here.user) };
    expect(await withToken(here, 'select end_other_devices() as ended')).toEqual([{ ended: 1 }]);
    expect(await withToken(there, 'select id from links')).toEqual([]);
    for (const left of [here, stranger])
      expect(await withToken(left, 'select id from links')).toHaveLength(1);
    const { rows } = await run(
      `select topic, event, private from realtime.messages where topic = any ($1)`,
      [here, there, stranger].map(({ session }) => `session:${session}`),
    );
    expect(rows).toEqual([{ topic: `session:${there.session}`, event: 'ended', private: true }]);
    expect(await withToken({ ...here, session: undefined }, 'select end_other_devices()')).toBe('PT401');
    await expect(queryAs(database, 'anon', 'select end_other_devices()')).rejects.toMatchObject({
      code: '42501',
    });
  });

  const gone = 'delete from auth.sessions where id = $1';
  // By the server, when a token that was used comes back: a transaction that begins later than the one that waits.
  const over = 'update auth.sessions set not_after = clock_timestamp() where id = $1';
  const all = () => 'end_other_devices()';
  const owners = ({ session }: SignedIn) => `end_device('${session}')`;
  test.each([
    ['all of them', all, gone],
    ['its owner’s', owners, gone],
    ['all of them, where its row stays', all, over],
    ['its owner’s, where its row stays', owners, over],
  ])('a session that is ended while it waits ends none: %s', async (_what, end, how) => {
    const owner = await signIn();
    const thief = { ...owner, session: await openSession(owner.user) };
    const client = await database.admin.connect();
    try {
      await client.query('begin');
      await client.query('select from auth.users where id = $1 for update', [owner.user.id]);
      const late = withToken(thief, `select ${end(owner)}`);
      await waitForLock();
      await client.query(how, [thief.session]);
      await client.query('commit');
      expect(await late).toBe('PT401');
    } finally {
      client.release();
    }
    expect(await withToken(owner, 'select id from links')).toHaveLength(1);
  });
});

describe('what was begun and needs no session to be finished', () => {
  const begin = async ({ user }: SignedIn, client: Pick<pg.ClientBase, 'query'> = database.admin) => {
    await client.query(`update auth.users set phone_change = '5511' || floor(random() * 1e9) where id = $1`, [
      user.id,
    ]);
    await client.query(
      `insert into auth.flow_state (id, linking_target_id, provider_type, authentication_method)
       values (gen_random_uuid(), $1, 'google', 'oauth')`,
      [user.id],
    );
    await client.query(
      `with client as (
         insert into auth.oauth_clients (id, registration_type, redirect_uris, grant_types, token_endpoint_auth_method, client_type)
         values (gen_random_uuid(), 'dynamic', 'https://a.test/', 'authorization_code', 'none', 'public') returning id
       )
       insert into auth.oauth_authorizations (id, authorization_id, client_id, user_id, redirect_uri, scope, status, authorization_code, expires_at)
       select gen_random_uuid(), c.id, c.id, $1, 'https://a.test/', 'links:read', 'approved', c.id, now() + interval '5 minutes' from client c`,
      [user.id],
    );
  };
  const left = async ({ user }: SignedIn) =>
    (
      await run(
        `select coalesce(u.phone_change, '') <> '' as phone,
          exists (select from auth.flow_state f where f.linking_target_id = u.id) as link,
          exists (select from auth.oauth_authorizations a where a.user_id = u.id) as program
         from auth.users u where u.id = $1`,
        user.id,
      )
    ).rows[0];
  const NOTHING = { phone: false, link: false, program: false };
  // Programs are no devices.
  const PROGRAM = { ...NOTHING, program: true };
  const ALL = { phone: true, link: true, program: true };

  const ways: readonly [string, typeof NOTHING, (here: SignedIn) => Promise<unknown>][] = [
    ['all other devices', PROGRAM, (here) => withToken(here, 'select end_other_devices()')],
    [
      'another device',
      PROGRAM,
      async (here) => withToken(here, `select end_device('${await openSession(here.user)}')`),
    ],
    [
      'the account, which is deleted',
      NOTHING,
      ({ user }) => queryAs(database, 'service_role', 'select close_account($1)', [user.id]),
    ],
  ];
  test.each(ways)('ends with %s, and a stranger’s does not', async (_what, expected, end) => {
    const [here, stranger] = await Promise.all([signIn(), signIn()]);
    for (const each of [here, stranger]) await begin(each);
    await end(here);
    expect([await left(here), await left(stranger)]).toEqual([expected, ALL]);
  });

  test('goes on when a device is ended that was gone before, or is a stranger’s', async () => {
    const [here, stranger] = await Promise.all([signIn(), signIn()]);
    for (const each of [here, stranger]) await begin(each);
    for (const id of [randomUUID(), stranger.session])
      expect(await withToken(here, `select end_device('${id}') as ended`)).toEqual([{ ended: false }]);
    expect([await left(here), await left(stranger)]).toEqual([ALL, ALL]);
  });

  test('goes on when the device that asks ends alone', async () => {
    const here = await signIn();
    await begin(here);
    expect(await withToken(here, `select end_device('${here.session}') as ended`)).toEqual([{ ended: true }]);
    expect(await left(here)).toEqual(ALL);
  });

  test('ends also where it is being begun at that moment', async () => {
    const here = await signIn();
    const client = await database.admin.connect();
    try {
      await client.query('begin');
      await begin(here, client);
      const ending = withToken(here, 'select end_other_devices() as ended');
      await waitForLock();
      await client.query('commit');
      expect(await ending).toEqual([{ ended: 0 }]);
    } finally {
      client.release();
    }
    expect(await left(here)).toEqual(PROGRAM);
  });
});

describe('the private topics that pages listen to', () => {
  const hear = (topic: string) => `select topic from realtime.messages where topic = '${topic}'`;
  const say = (topic: string) =>
    `insert into realtime.messages (topic, extension, event, private) values ('${topic}', 'broadcast', 'ended', true)`;

  test('a session’s is heard with its own token alone, and sent to by nobody', async () => {
    const [ana, stranger] = await Promise.all([signIn(), signIn()]);
    const topic = `session:${ana.session}`;
    await run(`select realtime.send('{}', 'ended', $1, true)`, topic);
    expect(await withToken(ana, hear(topic), topic)).toEqual([{ topic }]);
    expect(await withToken(stranger, hear(topic), topic)).toEqual([]);
    expect((await queryAs(database, 'anon', hear(topic))).rows).toEqual([]);
    for (const who of [ana, stranger]) expect(await withToken(who, say(topic), topic)).toBe('42501');
    await expect(queryAs(database, 'anon', say(topic))).rejects.toMatchObject({ code: '42501' });
    await run('delete from auth.sessions where id = $1', ana.session);
    expect(await withToken(ana, hear(topic), topic)).toEqual([]);
  });

  test('a shared page’s is heard by whoever has the id, and sent to by nobody', async () => {
    const stranger = await signIn();
    const topic = `shared:${randomUUID()}`;
    await run(`select realtime.send('{}', 'changed', $1, true)`, topic);
    expect(await withToken(stranger, hear(topic), topic)).toEqual([{ topic }]);
    const { rows } = await database.admin.query(
      `select realtime.readable_extensions('anon', '{}', '{}', $1) as heard,
         realtime.is_writable('anon', '{}', '{}', $1, 'broadcast') as anon,
         realtime.is_writable('authenticated', $2, '{}', $1, 'broadcast') as person,
         realtime.is_writable('authenticated', $2, '{}', $1, 'presence') as presence`,
      [topic, JSON.stringify({ ...claimsOf(stranger.user), session_id: stranger.session })],
    );
    expect(rows).toEqual([{ heard: ['broadcast'], anon: false, person: false, presence: false }]);
    expect(await withToken(stranger, say(topic), topic)).toBe('42501');
  });
});

type FunctionSource = {
  readonly name: string;
  readonly source: string;
  readonly isExposed: boolean;
  readonly isDefiner: boolean;
};
const READS_TOKEN = /\bauth\.(?:uid|jwt|email|role)\(|request\.jwt/;
const ASKS =
  /\bprivate\.(?:is_account_open|caller_id|caller_session|is_admin|is_token_good|may_\w+|reader_id|writer_id|sharer_id)\(/;

/** Those that run with their owner's rights, are reached from outside, and read the token where nobody has asked. */
function listUnguarded(functions: readonly FunctionSource[]): string[] {
  const byName = new Map(functions.map((one) => [one.name, one]));
  const unguarded = new Set<string>();
  const visit = (one: FunctionSource, seen: Set<string>) => {
    // Whoever asks decides what becomes of the answer, for all that it calls.
    if (seen.has(one.name) || ASKS.test(one.source)) return;
    seen.add(one.name);
    if (one.isDefiner && READS_TOKEN.test(one.source)) unguarded.add(one.name);
    for (const [called] of one.source.matchAll(/\b(?:private|public)\.\w+(?=\()/g)) {
      const next = byName.get(called);
      if (next) visit(next, seen);
    }
  };
  for (const one of functions) if (one.isExposed) visit(one, new Set());
  return [...unguarded].sort();
}

describe('nothing is left out', () => {
  test('every table that a signed-in person may use asks, in every schema of theirs, and no view steps over it', async () => {
    const { rows } = await database.admin.query(
      `select c.oid::regclass::text as relation
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_%'
         and not c.relispartition and has_schema_privilege('authenticated', n.oid, 'usage')
         and has_any_column_privilege('authenticated', c.oid, 'select, insert, update')
         and case when c.relkind in ('v', 'm') then coalesce(not 'security_invoker=true' = any (c.reloptions), true)
           when c.relkind in ('r', 'p') then not c.relrowsecurity or not exists (
             select from pg_policy p where p.polrelid = c.oid and not p.polpermissive and p.polcmd = '*'
               and 'authenticated'::regrole = any (p.polroles)
               -- Of files one more is let through, by what asks as well.
               and regexp_replace(pg_get_expr(p.polqual, p.polrelid),
                 '^\\((.*) OR \\(\\(bucket_id = ''arquivos''::text\\) AND \\(name = \\( SELECT private.written_cover\\(\\) AS written_cover\\)\\)\\)\\)$', '\\1')
                 ~ '^\\( SELECT private.(is_account_open|may_read_links|may_share)\\(\\) AS \\w+\\)$')
         end`,
    );
    expect(rows).toEqual([]);
  });

  test('every function that a signed-in person may call asks before it reads who they are', async () => {
    const { rows } = await database.admin.query<FunctionSource>(
      `select n.nspname || '.' || p.proname as name, p.prosrc as source, p.prosecdef as "isDefiner",
         n.nspname = 'public' and has_function_privilege('authenticated', p.oid, 'execute') as "isExposed"
       from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname in ('public', 'private')`,
    );
    expect(rows.filter(({ isExposed }) => isExposed).length).toBeGreaterThan(15);
    expect(listUnguarded(rows)).toEqual([]);
    const careless = {
      isDefiner: true,
      isExposed: true,
      source: 'select auth.uid()',
      name: 'public.new_one',
    };
    const detour = { isDefiner: false, isExposed: true, source: 'select private.deep()', name: 'public.b' };
    const deep = { isDefiner: true, isExposed: false, source: 'select auth.email()', name: 'private.deep' };
    expect(listUnguarded([...rows, careless, detour, deep])).toEqual(['private.deep', 'public.new_one']);
  });
});

describe('whether a token may act is decided to the moment', () => {
  test.each([
    ['a session at its end', false, `update auth.sessions set not_after = now() where id = :session`],
    [
      'a session a moment before its end',
      true,
      `update auth.sessions set not_after = now() + interval '1 microsecond' where id = :session`,
    ],
    ['a ban at its end', true, `update auth.users set banned_until = now() where id = :user`],
    [
      'a ban a moment before its end',
      false,
      `update auth.users set banned_until = now() + interval '1 microsecond' where id = :user`,
    ],
    [
      'a token of the second in which the account was opened again',
      true,
      `insert into private.account_closures (user_id, reason, reopened_at) values (:user, 'inactivity', to_timestamp(1770000000.999999))`,
    ],
    [
      'a token of the second before',
      false,
      `insert into private.account_closures (user_id, reason, reopened_at) values (:user, 'inactivity', to_timestamp(1770000001))`,
    ],
  ])('%s: %j', async (_what, isOpen, change) => {
    const { user, session } = await signIn();
    const client = await database.admin.connect();
    try {
      // In one transaction time stands still.
      await client.query('begin');
      await client.query(nameRows(change, { user: user.id, session }));
      await client.query(`select set_config('request.jwt.claims', $1, true)`, [
        JSON.stringify({ ...claimsOf(user), session_id: session, iat: 1_770_000_000 }),
      ]);
      const { rows } = await client.query('select private.is_account_open() as open');
      expect(rows).toEqual([{ open: isOpen }]);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});
