import { claimsOf } from '@linkoteca/test-kit/claims-of';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AskOptions,
  openRestService,
  type RestBench,
  startRestService,
} from './test-support/start-rest-service.ts';

let workshop: RestBench;
let rest: RestBench;
let admin: TestUser;
let victim: TestUser;
let authorization: string;
beforeAll(async () => {
  workshop = await startRestService();
  rest = await openRestService(workshop.database, { schemas: ['public', 'workshop'], plans: true });
  admin = await createUser(rest.database.admin);
  victim = await createUser(rest.database.admin, { email: 'vitima@exemplo.com.br' });
  await rest.database.admin.query('update private.installation set admin_user_id = $1', [admin.id]);
  authorization = `Bearer ${await rest.tokenFor(claimsOf(admin))}`;
});
afterAll(async () => {
  await rest.stop();
  await workshop.stop();
});

const look = (name: string, { headers = {}, body = {} }: AskOptions = {}, method = 'POST') =>
  rest.ask(method, `/rpc/${name}`, {
    headers: { authorization, ...headers },
    ...(method === 'POST' ? { body } : {}),
  });
const countRecords = async () => {
  const { rows } = await rest.database.admin.query<{ n: number }>(
    'select count(*)::int as n from private.admin_audit_log',
  );
  return rows[0]?.n ?? 0;
};

describe('the administrator’s look', () => {
  it.each([
    ['get_all_profiles', {}],
    ['get_all_user_emails', {}],
    ['admin_list_users', { search: 'vitima' }],
    ['admin_overview', {}],
    ['admin_audit', {}],
  ])('is one call, and one record each time: %s', async (name, body) => {
    const before = await countRecords();
    for (const call of [1, 2]) {
      const { status, text } = await look(name, { body });
      expect(status).toBe(200);
      expect(['null', '[]', '']).not.toContain(text);
      expect(await countRecords()).toBe(before + call);
    }
  });

  it.each([
    ['a cast that says the value', 'get_all_user_emails?select=email::int', {}, 400],
    ['a filter that says the value', 'get_all_user_emails?email=like(any).1', {}, 400],
    ['a limit of nothing', 'get_all_user_emails?limit=0', {}, 200],
    ['a page beyond the end', 'get_all_user_emails?offset=1000', { prefer: 'count=exact' }, 416],
    ['one row of several', 'get_all_user_emails', { accept: 'application/vnd.pgrst.object+json' }, 406],
    ['one value of several', 'get_all_profiles', { accept: 'application/vnd.pgrst.object+json' }, 406],
    ['fewer rows than there are', 'get_all_profiles', { prefer: 'handling=strict, max-affected=1' }, 400],
    ['a transaction to be taken back', 'get_all_user_emails', { prefer: 'tx=rollback' }, 200],
    ['a transaction to be taken back', 'admin_overview', { prefer: 'tx=rollback' }, 200],
    [
      'a plan with what came of it',
      'get_all_user_emails?email=like.a*',
      { accept: 'application/vnd.pgrst.plan; options=analyze' },
      200,
    ],
    ['an answer that nobody wants', 'get_all_user_emails?select=id', { prefer: 'return=minimal' }, 200],
  ])('stays on record when it asks for %s: %s', async (_, name, headers, expected) => {
    const before = await countRecords();
    const { status } = await look(name, { headers: headers as Record<string, string> });
    expect(await countRecords()).toBe(before + 1);
    expect(status).toBe(expected);
  });

  it('that is only planned is none', async () => {
    const before = await countRecords();
    const { status } = await look('get_all_user_emails', {
      headers: { accept: 'application/vnd.pgrst.plan' },
    });
    expect([status, await countRecords()]).toEqual([200, before]);
  });

  it.each(['GET', 'HEAD'])('reads nothing by %s, which may write nothing', async (method) => {
    await rest.database.admin.query('alter table private.admin_audit_log disable trigger user');
    await rest.database.admin.query(
      `update private.admin_audit_log set happened_at = happened_at - interval '1 hour'`,
    );
    await rest.database.admin.query('alter table private.admin_audit_log enable trigger user');
    const { status, text } = await look('get_all_user_emails', {}, method);
    expect(status).toBe(405);
    expect(text).not.toContain(victim.email);
  });

  it('stays on record when the reading is cut off', async () => {
    // The service has read the schema: what waits for the lock is the look itself. Its row is of no table, whose shape would be asked for first.
    expect((await look('admin_overview')).status).toBe(200);
    const before = await countRecords();
    await rest.database.admin.query(`alter function public.admin_overview() set lock_timeout = '50ms'`);
    const holder = await rest.database.admin.connect();
    try {
      await holder.query('begin');
      await holder.query('lock table public.library_counts in access exclusive mode');
      expect((await look('admin_overview')).status).toBeGreaterThanOrEqual(500);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    expect(await countRecords()).toBe(before + 1);
  });

  it('of somebody who is not the administrator is none, and none is recorded', async () => {
    const before = await countRecords();
    const stranger = `Bearer ${await rest.tokenFor(claimsOf(victim))}`;
    for (const [name, nothing] of [
      ['get_all_user_emails?select=email::int', '[]'],
      ['admin_overview', 'null'],
    ] as const)
      expect(await look(name, { headers: { authorization: stranger } })).toMatchObject({
        status: 200,
        text: nothing,
      });
    expect(await countRecords()).toBe(before);
  });
});
