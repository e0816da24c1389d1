import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

let database: ThrowawayDatabase;
let member: TestUser;
let stranger: TestUser;

beforeAll(async () => {
  database = await createThrowawayDatabase();
  member = await createUser(database.admin);
  stranger = await createUser(database.admin);
});
afterAll(() => database.drop());
afterEach(() => database.admin.query('delete from realtime.messages'));

type Stored = Record<string, unknown>;

const stored = async (): Promise<Stored[]> =>
  (
    await database.admin.query<Stored>(
      `select topic, event, extension, private, payload, binary_payload as bytes from realtime.messages order by inserted_at`,
    )
  ).rows;

/** Runs statements on one connection. @returns the warnings. */
async function warnings(run: (client: pg.PoolClient) => Promise<unknown>): Promise<string[]> {
  const client = await database.admin.connect();
  const heard: string[] = [];
  const hear = ({ message = '' }: { message: string | undefined }) => heard.push(message);
  client.on('notice', hear);
  try {
    await run(client);
  } finally {
    client.off('notice', hear);
    client.release();
  }
  return heard;
}

describe('realtime.send', () => {
  test('stores a broadcast with an id, private unless said otherwise', async () => {
    await database.admin.query(`select realtime.send('{"a": 1}', 'changed', 'room', false)`);
    await database.admin.query(`select realtime.send('{"id": "mine"}', 'changed', 'room')`);
    const [first, second] = await stored();
    expect(first).toMatchObject({ topic: 'room', event: 'changed', extension: 'broadcast', private: false });
    expect(first?.['payload']).toEqual({ a: 1, id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(second).toMatchObject({ private: true, payload: { id: 'mine' } });
  });

  test.each(['[1, 2]', '"texto"', '7', 'null'])('takes %s as it is', async (payload) => {
    await database.admin.query(`select realtime.send($1::jsonb, 'e', 't')`, [payload]);
    expect((await stored())[0]?.['payload']).toEqual(JSON.parse(payload));
  });

  test('takes bytes', async () => {
    await database.admin.query(`select realtime.send_binary('\\x00ff10'::bytea, 'e', 't', false)`);
    expect(await stored()).toEqual([
      {
        topic: 't',
        event: 'e',
        extension: 'broadcast',
        private: false,
        payload: null,
        bytes: Buffer.from([0, 255, 16]),
      },
    ]);
  });

  test.each([
    ['without a topic', `select realtime.send('{}', 'e', null)`],
    ['of bytes without a topic', `select realtime.send_binary('', 'e', null)`],
  ])('%s warns, and the transaction goes on', async (_what, call) => {
    const heard = await warnings(async (client) => {
      await client.query('begin');
      await client.query(`select realtime.send('{}', 'before', 't')`);
      await client.query(call);
      await client.query(`select realtime.send('{}', 'after', 't')`);
      await client.query('commit');
    });
    expect(heard).toEqual([
      expect.stringMatching(/^WarnSendingBroadcastMessage: null value in column "topic"/),
    ]);
    expect((await stored()).map((row) => row['event'])).toEqual(['before', 'after']);
  });

  test('of a transaction that is rolled back leaves nothing', async () => {
    await warnings(async (client) => {
      await client.query('begin');
      await client.query(`select realtime.send('{}', 'e', 't')`);
      await client.query('rollback');
    });
    expect(await stored()).toEqual([]);
  });

  test('does not change what topic the rest of the transaction sees', async () => {
    await warnings(async (client) => {
      await client.query(`begin; select set_config('realtime.topic', 'mine', true)`);
      await client.query(`select realtime.send('{}', 'e', 't')`);
      expect((await client.query('select realtime.topic() as topic')).rows).toEqual([{ topic: 'mine' }]);
      await client.query(`select realtime.send('{}', 'e', null)`);
      expect((await client.query('select realtime.topic() as topic')).rows).toEqual([{ topic: 'mine' }]);
      await client.query('commit');
      expect((await client.query('select realtime.topic() as topic')).rows).toEqual([{ topic: null }]);
    });
  });
});

describe('realtime.messages', () => {
  test.each(['stranger', 'anon'] as const)(
    'without a policy, %s reads nothing and sends nothing',
    async (who) => {
      const caller = who === 'anon' ? 'anon' : stranger;
      await database.admin.query(`select realtime.send('{}', 'e', 't', false)`);
      expect((await queryAs(database, caller, 'select * from realtime.messages')).rows).toEqual([]);
      const update = await queryAs(database, caller, `update realtime.messages set topic = 'x'`);
      expect(update.rowCount).toBe(0);
      await queryAs(database, caller, `select realtime.send('{}', 'forged', 't', false)`);
      expect((await stored()).map((row) => row['event'])).toEqual(['e']);
      for (const [code, statement] of [
        ['42501', `insert into realtime.messages (topic, extension) values ('t', 'broadcast')`],
        ['42501', 'delete from realtime.messages'],
        ['42501', 'truncate realtime.messages'],
        ['42501', 'select * from realtime.messages_default'],
        ['42501', 'create table realtime.mine (id int)'],
      ] as const)
        await expect(queryAs(database, caller, statement)).rejects.toMatchObject({ code });
    },
  );

  test('with a policy, a member sends to their own topic, and nobody else does', async () => {
    await database.admin.query(
      `create policy own_topic on realtime.messages for insert to authenticated
       with check (topic = (select auth.uid())::text and (select realtime.topic()) = topic)`,
    );
    const send = `select realtime.send('{}', 'e', '${member.id}')`;
    for (const caller of [member, stranger, 'anon'] as const) await queryAs(database, caller, send);
    expect(await stored()).toMatchObject([{ topic: member.id, private: true }]);
  });

  test('is published as one table, insertions only', async () => {
    const { rows } = await database.admin.query(
      `select p.pubinsert, p.pubupdate, p.pubdelete, p.pubviaroot, t.schemaname, t.tablename
       from pg_publication p join pg_publication_tables t using (pubname)
       where pubname = 'supabase_realtime_messages_publication'`,
    );
    expect(rows).toEqual([
      {
        pubinsert: true,
        pubupdate: false,
        pubdelete: false,
        pubviaroot: true,
        schemaname: 'realtime',
        tablename: 'messages',
      },
    ]);
  });
});

/** What a product migration writes: nobody needs a row in common, the topic is the id of a shared category. */
const FIXTURE = `
  create table public.boards (id int primary key, title text);
  alter table public.boards enable row level security;
  grant select, insert, update, delete on public.boards to authenticated;
  create policy boards_all on public.boards to authenticated using (true) with check (true);
  create function private.tell_board() returns trigger
    language plpgsql security definer set search_path = ''
  as $$
  begin
    perform realtime.send('{}', 'changed', 'board:' || coalesce(new.id, old.id), false);
    perform realtime.broadcast_changes('board:' || coalesce(new.id, old.id), tg_op, tg_op, tg_table_name, tg_table_schema, new, old);
    return null;
  end
  $$;
  revoke all on function private.tell_board() from public;
  create trigger boards_tell after insert or update or delete on public.boards
    for each row execute function private.tell_board();
  create policy boards_heard on realtime.messages for select to authenticated using ((select realtime.topic()) like 'board:%');
`;

describe('a trigger of the product', () => {
  beforeAll(() => database.admin.query(FIXTURE));

  test('broadcasts what a person changes, to whom that person could not send', async () => {
    await queryAs(database, member, `insert into boards values (1, 'Um')`);
    await queryAs(database, member, `update boards set title = 'Dois' where id = 1`);
    await queryAs(database, member, 'delete from boards where id = 1');
    const changes = (await stored()).filter((row) => row['private'] === true);
    expect(changes.map((row) => row['payload'])).toMatchObject([
      {
        operation: 'INSERT',
        record: { id: 1, title: 'Um' },
        old_record: null,
        table: 'boards',
        schema: 'public',
      },
      { operation: 'UPDATE', record: { title: 'Dois' }, old_record: { title: 'Um' } },
      { operation: 'DELETE', record: null, old_record: { id: 1, title: 'Dois' } },
    ]);
    expect((await stored()).filter((row) => row['private'] === false).length).toBe(3);
  });

  test('works for an owner who is no superuser and owns nothing of realtime, as on the platform', async () => {
    await database.admin.query(`
      create role platform_owner nologin bypassrls;
      grant usage on schema realtime to platform_owner;
      grant select, insert on realtime.messages to platform_owner;
      alter function private.tell_board() owner to platform_owner`);
    try {
      await queryAs(database, member, `insert into boards values (2, 'Três')`);
      expect((await stored()).length).toBe(2);
    } finally {
      await database.admin.query(`
        alter function private.tell_board() owner to current_user; drop owned by platform_owner; drop role platform_owner`);
    }
  });

  test('costs nobody their change when nothing can be sent', async () => {
    await database.admin.query(
      'alter table realtime.messages add constraint room_full check (topic <> $$board:3$$)',
    );
    await queryAs(database, member, `insert into boards values (3, 'Quatro')`);
    await database.admin.query('alter table realtime.messages drop constraint room_full');
    expect((await database.admin.query('select title from boards where id = 3')).rows).toEqual([
      { title: 'Quatro' },
    ]);
    expect(await stored()).toEqual([]);
  });

  test.each([
    [
      'for each statement',
      `'INSERT', 't', 's', null::record, null::record, 'STATEMENT'`,
      'not for each statement',
    ],
    ['for a truncation', `'TRUNCATE', 't', 's', null::record, null::record`, 'Unexpected operation type'],
    ['for nothing', `null, 't', 's', null::record, null::record`, 'Unexpected operation type'],
  ])('that is declared %s is told so', async (_what, args, message) => {
    await expect(
      database.admin.query(`select realtime.broadcast_changes('t', 'e', ${args})`),
    ).rejects.toThrow(message);
  });
});

describe('the partitions', () => {
  const partitions = async (of: pg.Pool | pg.PoolClient) =>
    (
      await of.query<{ name: string }>(
        `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
         where inhparent = 'realtime.messages'::regclass order by 1`,
      )
    ).rows.map(({ name }) => name);
  const today = async (of: pg.Pool | pg.PoolClient) =>
    (await of.query<{ day: string }>(`select ((now() at time zone 'utc')::date)::text as day`)).rows[0]?.day;
  const nameOf = (first: string | undefined, offset: number) =>
    `messages_${new Date(Date.parse(first ?? '') + offset * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '_')}`;
  const MAINTAIN = 'select realtime.maintain_message_partitions()';

  /** Drops the partition of every day: what there is depends on when the database was made. */
  async function clear(of: pg.Pool | pg.PoolClient): Promise<void> {
    for (const name of await partitions(of))
      if (name !== 'messages_default') await of.query(`drop table realtime.${name}`);
  }

  type Day = {
    readonly client: pg.PoolClient;
    /** The partition of the day that is so many days away. */
    day(offset: number): string;
    store(age: string): Promise<unknown>;
    homes(): Promise<unknown[]>;
  };

  /** In one transaction, which keeps its `now()`: midnight does not pass within. It leaves nothing behind. */
  async function onOneDay(run: (day: Day) => Promise<void>): Promise<void> {
    const client = await database.admin.connect();
    try {
      await client.query('begin');
      await clear(client);
      const first = await today(client);
      await run({
        client,
        day: (offset) => nameOf(first, offset),
        store: (age) =>
          client.query(
            `insert into realtime.messages (topic, extension, event, inserted_at)
             values ('t', 'broadcast', $1::text, now() at time zone 'utc' - $1::text::interval)`,
            [age],
          ),
        homes: async () => {
          const text = 'select event, tableoid::regclass::text as home from realtime.messages order by 1';
          return (await client.query(text)).rows;
        },
      });
    } finally {
      await client.query('rollback');
      client.release();
    }
  }

  test('are there for today and three days more', () =>
    onOneDay(async ({ client, day }) => {
      await client.query(MAINTAIN);
      expect(await partitions(client)).toEqual(['messages_default', day(0), day(1), day(2), day(3)].sort());
    }));

  test('take what is sent today; a day without one falls into the default', () =>
    onOneDay(async ({ client, day, store, homes }) => {
      await client.query(MAINTAIN);
      await store('0 days');
      await store('2 days');
      expect(await homes()).toEqual([
        { event: '0 days', home: `realtime.${day(0)}` },
        { event: '2 days', home: 'realtime.messages_default' },
      ]);
    }));

  test('older than three days go, with their rows; what may be replayed stays', () =>
    onOneDay(async ({ client, day, store, homes }) => {
      for (const age of [3, 4])
        await client.query(
          `create table realtime.${day(-age)} partition of realtime.messages
           for values from ((now() at time zone 'utc')::date - ${age}) to ((now() at time zone 'utc')::date - ${age - 1})`,
        );
      for (const age of [2, 3, 4, 5]) await store(`${age} days`);
      await client.query(MAINTAIN);
      expect(await partitions(client)).toContain(day(-3));
      expect(await partitions(client)).not.toContain(day(-4));
      expect(await homes()).toMatchObject([{ event: '2 days' }, { event: '3 days' }]);
    }));

  test('are not made for a day whose rows lie in the default already, and the rest is made', () =>
    onOneDay(async ({ client, day, store }) => {
      await store('0 days');
      await client.query(MAINTAIN);
      expect(await partitions(client)).not.toContain(day(0));
      expect(await partitions(client)).toContain(day(1));
      await client.query('delete from realtime.messages');
      await client.query(MAINTAIN);
      expect(await partitions(client)).toContain(day(0));
    }));

  test('may be asked for by many copies at once', async () => {
    await clear(database.admin);
    await Promise.all(Array.from({ length: 8 }, () => database.admin.query(MAINTAIN)));
    // Read afterwards, when it may be a day later; the last of the four days is the subject above.
    const first = await today(database.admin);
    expect(await partitions(database.admin)).toEqual(
      expect.arrayContaining([0, 1, 2].map((offset) => nameOf(first, offset))),
    );
  });

  test('wait for nobody who holds the table: the next time is soon enough', async () => {
    await clear(database.admin);
    const holder = await database.admin.connect();
    await holder.query('begin; lock realtime.messages_default in access share mode');
    // One connection: the error is told before its locks are gone, and another connection could still meet them.
    const keeper = await database.admin.connect();
    const maintainAgain = () => keeper.query(MAINTAIN);
    await expect(maintainAgain()).rejects.toMatchObject({ code: '55P03' });
    await holder.query('rollback');
    holder.release();
    await maintainAgain();
    keeper.release();
    expect(await partitions(database.admin)).toContain(nameOf(await today(database.admin), 0));
  });
});
