import { claimsOf } from '@linkoteca/test-kit/claims-of';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../kernel/caller-context.ts';
import { createDatabase, type Database } from '../../../kernel/database.ts';
import { createTopicAccess, type TopicAccess } from './create-topic-access.ts';

let database: ThrowawayDatabase;
let db: Database;
let access: TopicAccess;
let member: Caller;
let stranger: Caller;
const warnings: unknown[][] = [];
const visitor: Caller = { role: 'anon', claims: { role: 'anon' } };
const service: Caller = { role: 'service_role', claims: { role: 'service_role' } };

beforeAll(async () => {
  database = await createThrowawayDatabase();
  db = createDatabase({ ...database.authenticator, max: 2 });
  access = createTopicAccess({ db, logger: { warn: (...args: unknown[]) => warnings.push(args) } });
  const users = [await createUser(database.admin), await createUser(database.admin)] as const;
  [member, stranger] = users.map((user) => ({ role: 'authenticated', claims: claimsOf(user) })) as [
    Caller,
    Caller,
  ];
  await database.admin.query(POLICIES);
  await database.admin.query(`insert into public.rooms_members values ('room:1', $1)`, [users[0].id]);
});
afterAll(async () => {
  await db.pool.end();
  await database.drop();
});
beforeEach(() => void warnings.splice(0));

/** The shapes of policy that people write, as in the platform's documentation. */
const POLICIES = `
  create table public.rooms_members (topic text, user_id uuid);
  alter table public.rooms_members enable row level security;
  grant select on public.rooms_members to authenticated;
  create policy own on public.rooms_members for select to authenticated using (user_id = (select auth.uid()));
  create table public.secrets (id int);
  revoke all on public.secrets from anon, authenticated;
  create function public.reads_secrets() returns boolean language plpgsql as 'begin return exists (select from public.secrets); end';

  create policy by_membership_read on realtime.messages for select to authenticated using (
    exists (select from public.rooms_members r where r.topic = (select realtime.topic()) and r.user_id = (select auth.uid()))
  );
  create policy by_membership_write on realtime.messages for insert to authenticated with check (
    extension = 'broadcast'
    and exists (select from public.rooms_members r where r.topic = (select realtime.topic()) and r.user_id = (select auth.uid()))
  );
  create policy by_prefix on realtime.messages for select to anon, authenticated using (
    (select realtime.topic()) like 'news:%' and extension = 'broadcast'
  );
  create policy presence_alone on realtime.messages for all to authenticated
    using ((select realtime.topic()) = 'lobby' and extension = 'presence')
    with check ((select realtime.topic()) = 'lobby' and extension = 'presence');
  create policy by_claim on realtime.messages for all to authenticated
    using ((select realtime.topic()) = 'user:' || (select auth.jwt() ->> 'sub'))
    with check ((select realtime.topic()) = 'user:' || (select auth.jwt() ->> 'sub'));
  create policy by_old_claim on realtime.messages for select to authenticated using (
    (select realtime.topic()) = 'old:' || current_setting('request.jwt.claim.sub', true)
    and current_setting('request.jwt.claim.role', true) = 'authenticated'
  );
  create policy by_header on realtime.messages for select to anon using (
    (select realtime.topic()) = 'header' and current_setting('request.headers', true)::jsonb ->> 'x-door' = 'open'
  );
  create policy by_row on realtime.messages for select to authenticated using (topic = 'row' and not coalesce(private, false));
  create policy broken on realtime.messages for all to authenticated
    using ((select realtime.topic()) = 'broken' and 1 / (length(topic) - 6) > 0)
    with check ((select realtime.topic()) = 'broken' and 1 / (length(topic) - 6) > 0);
  create policy forbidden on realtime.messages for all to authenticated
    using ((select realtime.topic()) = 'forbidden' and public.reads_secrets())
    with check ((select realtime.topic()) = 'forbidden' and public.reads_secrets());
`;

const read = (caller: Caller, topic: string, headers = {}) => access.canRead(caller, topic, headers);
const write = async (caller: Caller, topic: string) => ({
  broadcast: await access.canWrite(caller, topic, 'broadcast', {}),
  presence: await access.canWrite(caller, topic, 'presence', {}),
});
const NOTHING = { broadcast: false, presence: false };
const BOTH = { broadcast: true, presence: true };

describe('a private channel', () => {
  it('is heard by members, and by no stranger or visitor', async () => {
    expect(await read(member, 'room:1')).toEqual(BOTH);
    expect(await read(stranger, 'room:1')).toEqual(NOTHING);
    expect(await read(visitor, 'room:1')).toEqual(NOTHING);
    expect(await read(member, 'room:2')).toEqual(NOTHING);
  });

  it('takes broadcasts of members alone, where the policy names no other extension', async () => {
    expect(await write(member, 'room:1')).toEqual({ broadcast: true, presence: false });
    expect(await write(stranger, 'room:1')).toEqual(NOTHING);
    expect(await write(visitor, 'room:1')).toEqual(NOTHING);
  });

  it('may be open by the beginning of its name, for listening only', async () => {
    for (const caller of [member, stranger, visitor]) {
      expect(await read(caller, 'news:sport')).toEqual({ broadcast: true, presence: false });
      expect(await write(caller, 'news:sport')).toEqual(NOTHING);
      expect(await read(caller, 'old news:sport')).toEqual(NOTHING);
    }
  });

  it('may be for presence alone', async () => {
    expect(await read(stranger, 'lobby')).toEqual({ broadcast: false, presence: true });
    expect(await write(stranger, 'lobby')).toEqual({ broadcast: false, presence: true });
    expect(await read(visitor, 'lobby')).toEqual(NOTHING);
  });

  it('may be a person’s own, by the claims of the token in both their forms', async () => {
    const own = `user:${member.claims['sub']}`;
    expect([await read(member, own), await write(member, own)]).toEqual([BOTH, BOTH]);
    expect([await read(stranger, own), await write(stranger, own)]).toEqual([NOTHING, NOTHING]);
    expect(await read(member, `old:${member.claims['sub']}`)).toEqual(BOTH);
    expect(await read(stranger, `old:${member.claims['sub']}`)).toEqual(NOTHING);
  });

  it('may depend on the headers of the request, and on columns of the row', async () => {
    expect(await read(visitor, 'header', { 'x-door': 'open' })).toEqual(BOTH);
    expect(await read(visitor, 'header')).toEqual(NOTHING);
    expect(await read(member, 'row')).toEqual(BOTH);
    expect(await read(visitor, 'row')).toEqual(NOTHING);
  });

  it('is closed where there is no policy, but not to the server’s own key', async () => {
    expect([await read(member, 'nowhere'), await write(member, 'nowhere')]).toEqual([NOTHING, NOTHING]);
    expect([await read(service, 'nowhere'), await write(service, 'nowhere')]).toEqual([BOTH, BOTH]);
    expect(warnings).toEqual([]);
  });

  it.each(['broken', 'forbidden'])('whose policy is %s is closed, and the log says so', async (topic) => {
    expect(await read(member, topic)).toEqual(NOTHING);
    expect(warnings[0]?.[1]).toContain('access denied');
    expect(await write(member, topic)).toEqual(NOTHING);
  });

  it.each([
    ['quotes', `'; reset role; --`],
    ['a zero byte', 'a\u0000b'],
    ['half a character', '\ud800'],
    ['much', 'x'.repeat(100_000)],
    ['nothing', ''],
  ])('with %s in its name is as closed as any other', async (_what, topic) => {
    expect(await read(stranger, topic)).toEqual(NOTHING);
    expect(await write(stranger, topic)).toEqual(NOTHING);
  });

  it('is closed to claims that cannot be read', async () => {
    const odd: Caller = { role: 'authenticated', claims: { role: 'authenticated', sub: 'a\u0000b' } };
    expect(await read(odd, 'lobby')).toEqual(NOTHING);
  });
});

describe('asking', () => {
  it('leaves no row, no role and no claims behind on its connection', async () => {
    // What was set once is empty afterwards, and absent on a connection that nobody has asked through.
    const setting = (name: string) => `coalesce(current_setting('${name}', true), '')`;
    const state = `select current_user::text as role, current_setting('synchronous_commit') as commit,
      ${setting('request.headers')} as headers, ${setting('request.jwt.claims')} as claims,
      ${setting('request.jwt.claim.sub')} as sub, ${setting('realtime.topic')} as topic`;
    const fresh = (await db.pool.query('select current_setting($1) as commit', ['synchronous_commit']))
      .rows[0];
    const countMessages = async () =>
      (await database.admin.query('select count(*)::int as n from realtime.messages')).rows;
    const before = await countMessages();
    await read(member, 'room:1');
    await write(member, 'room:1');
    expect(await countMessages()).toEqual(before);
    const empty = { headers: '', claims: '', sub: '', topic: '' };
    expect((await db.pool.query(state)).rows).toEqual([{ role: 'authenticator', ...fresh, ...empty }]);
  });

  it('fails, and does not refuse, while the database is away', async () => {
    const away = createDatabase({ ...database.authenticator, host: '/nowhere' });
    const asked = createTopicAccess({ db: away, logger: { warn: () => undefined } });
    await expect(asked.canRead(member, 'room:1', {})).rejects.toThrow('ENOENT');
    await away.pool.end();
  });

  it('no API role may call its functions', async () => {
    const functions = [
      `realtime.readable_extensions('service_role', '{}', '{}', 'x')`,
      `realtime.is_writable('service_role', '{}', '{}', 'x', 'broadcast')`,
      `realtime.become_caller('service_role', '{}', '{}', 'x')`,
      'realtime.maintain_message_partitions()',
    ];
    for (const role of ['anon', 'authenticated', 'service_role'])
      for (const call of functions)
        await expect(
          database.callers.query(`begin; set local role ${role}; select ${call}; commit`),
        ).rejects.toMatchObject({ code: '42501' });
  });
});

describe('replay', () => {
  const store = (topic: string, event: string, age: string, isPrivate = true) =>
    database.admin.query(
      `insert into realtime.messages (topic, extension, event, payload, private, inserted_at)
       values ($1, 'broadcast', $2, '{"n": 1}', $4, (now() - $3::interval) at time zone 'utc')`,
      [topic, event, age, isPrivate],
    );
  const hour = () => Date.now() - 3_600_000;

  it('gives the newest messages of the topic, oldest first, none from before the moment asked for', async () => {
    for (const [event, age] of [
      ['too old', '2 hours'],
      ['first', '30 minutes'],
      ['third', '10 minutes'],
      ['second', '20 minutes'],
    ] as const)
      await store('history', event, age);
    await store('history', 'public', '5 minutes', false);
    await store('other', 'other', '5 minutes');
    const events = async (limit: number) =>
      (await access.replay('history', { since: hour(), limit })).map(({ event }) => event);
    expect(await events(25)).toEqual(['first', 'second', 'third']);
    expect(await events(2)).toEqual(['second', 'third']);
    expect(await events(0)).toEqual([]);
    expect((await access.replay('history', { since: 0, limit: 25 })).length).toBe(4);
    expect(await access.replay('history', { since: Number.MAX_VALUE, limit: 25 })).toEqual([]);
    expect(await access.replay('history', { since: Number.NaN, limit: 25 })).toEqual([]);
  });

  it('never gives more than 25, and gives bytes as bytes', async () => {
    await database.admin.query(
      `select realtime.send_binary('\\x00ff', 'e', 'many') from generate_series(1, 30)`,
    );
    const messages = await access.replay('many', { since: hour(), limit: 1_000 });
    expect(messages.length).toBe(25);
    expect(messages[0]).toMatchObject({
      topic: 'many',
      event: 'e',
      isPrivate: true,
      payloadJson: null,
      bytes: Buffer.from([0, 255]),
    });
  });
});
