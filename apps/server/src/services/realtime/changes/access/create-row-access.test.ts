import { randomUUID } from 'node:crypto';
import { createUser, setPlan, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ChangeBench, type Listener, startChangeBench } from '../test-support/start-change-bench.ts';

let bench: ChangeBench;
let owner: TestUser;
let invited: TestUser;
let stranger: TestUser;
let folder: string;
let shared: string;
let own: string;
const listeners: Listener[] = [];

const LIBRARY = ['public.folders', 'public.categories', 'public.links', 'public.shared_with'];

beforeAll(async () => {
  bench = await startChangeBench();
});
afterAll(() => bench.stop());

beforeEach(async () => {
  for (const { subscription } of listeners.splice(0)) subscription.cancel();
  const { admin } = bench.database;
  owner = await createUser(admin, { plan: 'pro' });
  invited = await createUser(admin);
  stranger = await createUser(admin);
  folder = await insertAs(owner, `insert into public.folders (name) values ('Trabalho') returning id`);
  const category = `insert into public.categories (name, folder_id) values ($1, $2) returning id`;
  shared = await insertAs(owner, category, ['Receitas', folder]);
  own = await insertAs(owner, category, ['Contas', folder]);
  await share(shared, invited);
});

async function insertAs(user: TestUser, text: string, values: readonly unknown[] = []): Promise<string> {
  const { rows } = await queryAs<{ id: string }>(bench.database, user, text, values);
  return rows[0]?.id ?? '';
}

async function share(category: string, user: TestUser): Promise<void> {
  await queryAs(
    bench.database,
    owner,
    `insert into public.shared_with (category_id, email) values ($1, $2)`,
    [category, user.email],
  );
}

async function listen(...[caller, ...requests]: Parameters<ChangeBench['listen']>): Promise<Listener> {
  const listener = await bench.listen(caller, ...requests);
  listeners.push(listener);
  return listener;
}

async function addLink(category: string, title = 'Bolo'): Promise<string> {
  const id = randomUUID();
  await bench.write(
    ['public.links'],
    `insert into public.links (id, title, url, category_id) values ($1, $2, 'https://a.br', $3)`,
    [id, title, category],
    owner,
  );
  return id;
}

function summary({ received }: Listener): string[] {
  return received.map(
    ({ data }) => `${data.type} ${data.table} ${data.record?.['title'] ?? data.record?.['name'] ?? ''}`,
  );
}

describe('an owner', () => {
  test('hears of a new, a changed and a deleted row in full, without a question to the database', async () => {
    const me = await listen(owner, { table: 'links', filter: `user_id=eq.${owner.id}` });
    const id = await addLink(own);
    await bench.write(['public.links'], `update public.links set title = 'Torta' where id = $1`, [id], owner);
    await bench.write(['public.links'], `delete from public.links where id = $1`, [id], owner);
    await bench.settled();
    const [inserted, updated, deleted] = me.received.map(({ data }) => data);
    expect(inserted).toMatchObject({
      type: 'INSERT',
      schema: 'public',
      table: 'links',
      commit_timestamp: '2026-11-21T20:00:00.123Z',
      record: { id, title: 'Bolo', description: null, category_id: own, user_id: owner.id },
      errors: null,
    });
    expect(inserted).not.toHaveProperty('old_record');
    expect(inserted?.columns).toContainEqual({ name: 'created_at', type: 'timestamptz' });
    expect(inserted?.record?.['created_at']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/);
    expect(updated).toMatchObject({ record: { title: 'Torta' }, old_record: { id, title: 'Bolo' } });
    expect(deleted).toMatchObject({ type: 'DELETE', old_record: { id, title: 'Torta', user_id: owner.id } });
    expect(deleted).not.toHaveProperty('record');
    expect(me.received.map(({ ids }) => ids)).toEqual([1, 2, 3].map(() => me.subscription.ids));
  });

  test('hears of everything that a deleted folder takes along', async () => {
    await addLink(own);
    const me = await listen(owner, { table: 'folders' }, { table: 'categories' }, { table: 'links' });
    await bench.write(LIBRARY, `delete from public.folders where id = $1`, [folder], owner);
    await bench.settled();
    expect(me.received.map(({ data }) => data.table).sort()).toEqual([
      'categories',
      'categories',
      'folders',
      'links',
    ]);
  });
});

describe('a stranger', () => {
  test.each(['anon', 'signed in'])('(%s) hears nothing, whatever they ask for', async (kind) => {
    const who = kind === 'anon' ? 'anon' : stranger;
    const wide = await listen(who, { table: '*' }, { event: 'DELETE', schema: 'public' });
    // What the role may not read it may not ask for by filter either.
    const narrow =
      who === 'anon'
        ? wide
        : await listen(
            who,
            { table: 'links', filter: `user_id=eq.${owner.id}` },
            { table: 'links', filter: `user_id=neq.${stranger.id}` },
            { table: 'links', filter: `category_id=in.(${shared},${own})`, event: 'DELETE' },
            { table: 'categories', filter: `id=eq.${shared}` },
            { table: 'shared_with', filter: `category_id=eq.${shared}` },
          );
    const id = await addLink(shared);
    await bench.write(
      ['public.links'],
      `update public.links set category_id = $2 where id = $1`,
      [id, own],
      owner,
    );
    await bench.write(['public.links'], `delete from public.links where id = $1`, [id], owner);
    await bench.write(LIBRARY, `update public.categories set is_public = true where id = $1`, [own], owner);
    await bench.write(LIBRARY, `delete from public.folders where id = $1`, [folder], owner);
    await bench.settled();
    expect(wide.texts).toEqual([]);
    expect(narrow.texts).toEqual([]);
    expect(wide.failures).toEqual([]);
  });

  test('learns nothing from a token whose id or address only looks like the owner’s', async () => {
    const claims = { sub: `${owner.id} `, email: `${invited.email} `, role: 'authenticated' };
    const forged = [
      claims,
      { ...claims, sub: 'null' },
      { role: 'authenticated' },
      { ...claims, sub: 7, email: ['x'] },
    ];
    const received = [];
    for (const one of forged)
      received.push(
        await listen({ role: 'authenticated', claims: one }, { table: 'links' }, { table: 'shared_with' }),
      );
    await addLink(shared);
    await bench.settled();
    expect(received.flatMap(({ texts }) => texts)).toEqual([]);
  });
});

describe('somebody invited', () => {
  test('hears of the links of the shared category and of no other, deletions included', async () => {
    const me = await listen(invited, { table: 'links' });
    const id = await addLink(shared);
    const hidden = await addLink(own, 'Segredo');
    await bench.write(['public.links'], `update public.links set title = 'Torta' where id = $1`, [id], owner);
    await bench.write(
      ['public.links'],
      `delete from public.links where id = any ($1)`,
      [[id, hidden]],
      owner,
    );
    await bench.settled();
    expect(summary(me)).toEqual(['INSERT links Bolo', 'UPDATE links Torta', 'DELETE links ']);
    expect(me.texts.join()).not.toContain('Segredo');
    expect(me.received[2]?.data.old_record).toMatchObject({ id, title: 'Torta' });
  });

  test('is not shown what a row was before it came into their sight', async () => {
    const me = await listen(invited, { table: 'links' });
    const id = await addLink(own, 'Segredo');
    await bench.write(
      ['public.links'],
      `update public.links set category_id = $2, title = 'Bolo' where id = $1`,
      [id, shared],
      owner,
    );
    await bench.settled();
    expect(summary(me)).toEqual(['UPDATE links Bolo']);
    expect(me.received[0]?.data.old_record).toEqual({ id });
    expect(me.texts.join()).not.toContain(own);
  });

  test('is not shown it either where the owner, who saw it, is told of the same change', async () => {
    const theirs = await listen(owner, { table: 'links' });
    const me = await listen(invited, { table: 'links' });
    const id = await addLink(own, 'Segredo');
    await bench.write(
      ['public.links'],
      `update public.links set category_id = $2, title = 'Bolo' where id = $1`,
      [id, shared],
      owner,
    );
    await bench.settled();
    expect(theirs.received.at(-1)?.data.old_record).toMatchObject({ id, title: 'Segredo' });
    expect(me.received.map(({ data }) => data.old_record)).toEqual([{ id }]);
    expect(me.texts.join()).not.toContain('Segredo');
  });

  test('hears nothing of a row that leaves their sight', async () => {
    const id = await addLink(shared);
    const me = await listen(invited, { table: 'links' });
    await bench.write(
      ['public.links'],
      `update public.links set category_id = $2, title = 'Segredo' where id = $1`,
      [id, own],
      owner,
    );
    await bench.settled();
    expect(me.texts).toEqual([]);
  });

  test('hears nothing any more once the invitation is taken back, not even of deletions', async () => {
    const id = await addLink(shared);
    const me = await listen(invited, { table: 'links' }, { table: 'categories' });
    await bench.write(
      ['public.shared_with'],
      `delete from public.shared_with where category_id = $1`,
      [shared],
      owner,
    );
    await addLink(shared, 'Segredo');
    await bench.write(['public.links'], `delete from public.links where id = $1`, [id], owner);
    await bench.write(
      ['public.categories'],
      `update public.categories set name = 'X' where id = $1`,
      [shared],
      owner,
    );
    await bench.settled();
    expect(me.texts).toEqual([]);
  });

  test('hears that their own invitation came and went, and of nobody else’s', async () => {
    const me = await listen(
      invited,
      { table: 'shared_with' },
      { table: 'shared_with', filter: `email=eq.${invited.email}` },
    );
    await bench.write(
      ['public.shared_with'],
      `insert into public.shared_with values ($1, 'outra@exemplo.com.br')`,
      [shared],
    );
    await bench.write(
      ['public.shared_with'],
      `delete from public.shared_with where category_id = $1`,
      [shared],
      owner,
    );
    await bench.settled();
    expect(me.received.map(({ data }) => [data.type, data.old_record?.['email']])).toEqual([
      ['DELETE', invited.email],
    ]);
    expect(me.received[0]?.ids).toEqual(me.subscription.ids);
  });

  test('on the free plan hears of the links of the earliest category alone, on a paid one of both', async () => {
    const other = await createUser(bench.database.admin, { plan: 'pro' });
    const me = await listen(invited, { table: 'links' });
    const place = await insertAs(other, `insert into public.folders (name) values ('B') returning id`);
    const second = await insertAs(
      other,
      `insert into public.categories (name, folder_id) values ('C', $1) returning id`,
      [place],
    );
    await queryAs(
      bench.database,
      other,
      `insert into public.shared_with (category_id, email) values ($1, $2)`,
      [second, invited.email],
    );
    const add = (title: string) =>
      bench.write(
        ['public.links'],
        `insert into public.links (title, url, category_id) values ('${title}', 'https://b.br', $1)`,
        [second],
        other,
      );
    await add('fechado');
    await addLink(shared, 'aberto');
    await bench.settled();
    expect(summary(me)).toEqual(['INSERT links aberto']);
    await setPlan(bench.database.admin, invited.id, 'pro');
    await add('agora sim');
    await bench.settled();
    expect(summary(me)).toEqual(['INSERT links aberto', 'INSERT links agora sim']);
  });
});

test('the service role hears of every row', async () => {
  const me = await listen('service_role', { table: 'links' }, { table: 'profiles' });
  const id = await addLink(own);
  await bench.write(['public.links'], `delete from public.links where id = $1`, [id], owner);
  await bench.settled();
  expect(summary(me)).toEqual(['INSERT links Bolo', 'DELETE links ']);
});

test('one check answers for all channels of the same claims', async () => {
  const many = await Promise.all(Array.from({ length: 20 }, () => listen(invited, { table: 'links' })));
  // The first row reads rights and policies, and what the policy's lists are made from.
  await addLink(shared);
  await bench.settled();
  let asked = 0;
  const count = () => {
    asked += 1;
  };
  bench.db.pool.on('acquire', count);
  await addLink(shared);
  await bench.settled();
  bench.db.pool.off('acquire', count);
  expect(many.map(summary)).toEqual(many.map(() => ['INSERT links Bolo', 'INSERT links Bolo']));
  // One question for each of the two lists that the policies compare the row with.
  expect(asked).toBe(2);
});
