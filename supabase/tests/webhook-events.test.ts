import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';
import { EVENTS, openWebhooks } from './support/webhooks.ts';

let database: ThrowawayDatabase;
let hooks: ReturnType<typeof openWebhooks>;
let library: Library;
let webhookId: string;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  hooks = openWebhooks(database);
});
afterAll(() => database.drop());
beforeEach(async () => {
  library = await createLibrary(database, { plan: 'pro' });
  ({ id: webhookId } = await hooks.create(library.owner));
});

const run = (text: string, ...values: unknown[]) => queryAs(database, library.owner, text, values);
const add = (many: number) =>
  run(
    `insert into links (url, title, description, category_id)
     select 'https://exemplo.com.br/' || n, 'Link ' || n, 'Sobre ' || n, $2 from generate_series(1, $1) n`,
    many,
    library.categoryId,
  );
const heard = async (id = webhookId) =>
  (await hooks.deliveries(id)).map(({ type, subject, body: { data } }) => ({ type, subject, data }));

describe('a link', () => {
  test('that is saved, changed, moved and deleted is told each time, in the words of the API', async () => {
    await run(
      `insert into links (url, title, category_id) values ('https://pao.com.br/', 'Pão', $1)`,
      library.categoryId,
    );
    await run(`update links set title = 'Pão de ló' where title = 'Pão'`);
    await run(`delete from links where title = 'Pão de ló'`);
    const link = {
      id: expect.any(String),
      url: 'https://pao.com.br/',
      title: 'Pão',
      description: null,
      category_id: library.categoryId,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    };
    const renamed = { ...link, title: 'Pão de ló' };
    expect(await heard()).toEqual([
      { type: 'link.created', subject: 'Pão', data: { count: 1, links: [link] } },
      { type: 'link.updated', subject: 'Pão de ló', data: { count: 1, links: [renamed] } },
      { type: 'link.deleted', subject: 'Pão de ló', data: { count: 1, links: [renamed] } },
    ]);
    const [first] = await hooks.deliveries(webhookId);
    expect(first?.body).toMatchObject({ type: 'link.created', timestamp: link.created_at });
    expect(first?.message_id).toMatch(/^msg_[0-9a-f-]{36}$/);
  });

  test('that is written as it was is not told', async () => {
    await run('update links set title = title');
    expect(await heard()).toEqual([]);
  });

  test('is told of together with its thousands: one event a statement, fifty links at most', async () => {
    await add(10_000);
    const [event, ...others] = await heard();
    expect(others).toEqual([]);
    expect(event?.data.count).toBe(10_000);
    expect(event?.data.links?.map((link) => link['title'])).toEqual(
      Array.from({ length: 50 }, (_, n) => `Link ${n + 1}`),
    );
  });

  test('is told of in the order of saving, whoever added it and whatever columns are to come', async () => {
    const guest = await createUser(database.admin);
    await database.admin.query(
      `insert into public.links (url, title, category_id, user_id, added_by, added_by_name)
       select 'https://a.br/' || n, 'Link ' || n, $1, $2, case n when 3 then $3::uuid end, case n when 3 then 'Ana' end
       from generate_series(1, 3) n`,
      [library.categoryId, library.owner.id, guest.id],
    );
    await database.admin.query('alter table public.links add column later integer');
    await database.admin.query(
      `update public.links set later = -right(title, 1)::integer where category_id = $1 and title like 'Link %'`,
      [library.categoryId],
    );
    // A session that has planned nothing yet.
    const callers = new pg.Pool(database.authenticator);
    try {
      const rename = `update links set title = 'Novo ' || title where title like 'Link %'`;
      await queryAs({ ...database, callers }, library.owner, rename);
    } finally {
      await callers.end();
      await database.admin.query('alter table public.links drop column later');
    }
    const [added, changed] = await heard();
    const titles = ['Link 1', 'Link 2', 'Link 3'];
    expect(added?.data.links?.map((link) => link['title'])).toEqual(titles);
    expect(changed?.data.links?.map((link) => link['title'])).toEqual(titles.map((title) => `Novo ${title}`));
  });

  test('whose category goes is told as deleted', async () => {
    await run('delete from categories where id = $1', library.categoryId);
    expect(await heard()).toMatchObject([
      { type: 'link.deleted', data: { count: 1, links: [{ id: library.linkId }] } },
    ]);
  });

  test('of a transaction that fails is not told', async () => {
    await expect(
      run(
        `with added as (insert into links (url, title, category_id) values ('https://a.br/', 'A', $1) returning id)
         select 1 / (count(*) - 1) from added`,
        library.categoryId,
      ),
    ).rejects.toMatchObject({ code: '22012' });
    expect(await heard()).toEqual([]);
  });

  test('of somebody else is nobody’s business', async () => {
    const other = await createLibrary(database);
    const { id } = await hooks.create(other.owner);
    await add(1);
    expect(await heard(id)).toEqual([]);
    // One statement of the server’s may change links of two.
    await database.admin.query(`update public.links set title = title || '!' where user_id in ($1, $2)`, [
      library.owner.id,
      other.owner.id,
    ]);
    expect(await heard(id)).toMatchObject([{ type: 'link.updated', data: { count: 1 } }]);
    expect(await heard()).toMatchObject([
      { type: 'link.created' },
      { type: 'link.updated', data: { count: 2 } },
    ]);
  });

  test('of two people that comes or goes in one statement is told to each alone', async () => {
    const other = await createLibrary(database);
    const { id } = await hooks.create(other.owner);
    await database.admin.query(
      `insert into public.links (url, title, category_id, user_id)
       values ('https://a.br/', 'Um', $1, $2), ('https://b.br/', 'Outro', $3, $4)`,
      [library.categoryId, library.owner.id, other.categoryId, other.owner.id],
    );
    await database.admin.query(
      `delete from public.links where title in ('Um', 'Outro') and user_id in ($1, $2)`,
      [library.owner.id, other.owner.id],
    );
    for (const [hook, title] of [
      [webhookId, 'Um'],
      [id, 'Outro'],
    ] as const)
      expect(await heard(hook)).toEqual(
        ['link.created', 'link.deleted'].map((type) => ({
          type,
          subject: title,
          data: { count: 1, links: [expect.objectContaining({ title })] },
        })),
      );
  });
});

describe('a category', () => {
  test('that is shared with somebody or published is told, without their addresses', async () => {
    await run('select save_sharing($1, false, $2)', library.categoryId, [
      'ana@exemplo.com.br',
      'bia@exemplo.com.br',
    ]);
    await run('select save_sharing($1, true, $2)', library.categoryId, []);
    const category = { id: library.categoryId, name: 'Leituras' };
    expect(await heard()).toEqual([
      {
        type: 'category.shared',
        subject: 'Leituras',
        data: { count: 1, categories: [{ ...category, is_public: false, people: 2 }] },
      },
      {
        type: 'category.shared',
        subject: 'Leituras',
        data: { count: 1, categories: [{ ...category, is_public: true, people: 0 }] },
      },
    ]);
  });

  test('that is saved as it was, or shared with fewer, is not told', async () => {
    await run('select save_sharing($1, false, $2)', library.categoryId, [
      'ana@exemplo.com.br',
      'bia@exemplo.com.br',
    ]);
    await run('select save_sharing($1, false, $2)', library.categoryId, [
      'ana@exemplo.com.br',
      'bia@exemplo.com.br',
    ]);
    await run('select save_sharing($1, false, $2)', library.categoryId, ['ana@exemplo.com.br']);
    await run(`update categories set name = 'Outras' where id = $1`, library.categoryId);
    expect(await heard()).toHaveLength(1);
  });

  test('that is made is told where it is public, and no more when it is renamed', async () => {
    await run(
      `insert into categories (name, folder_id, is_public) values ('Fechada', $1, false), ('Aberta', $1, true)`,
      library.folderId,
    );
    await run(`update categories set name = name || ' hoje' where name in ('Fechada', 'Aberta')`);
    expect(await heard()).toEqual([
      {
        type: 'category.shared',
        subject: 'Aberta',
        data: {
          count: 1,
          categories: [{ id: expect.any(String), name: 'Aberta', is_public: true, people: 0 }],
        },
      },
    ]);
  });
});

describe('a webhook', () => {
  test('hears of the events it wants, each of several webhooks under the same id', async () => {
    const { id } = await hooks.create(library.owner, 'https://dois.exemplo.com.br/', ['link.deleted']);
    await add(1);
    await run('delete from links');
    expect((await heard(id)).map(({ type }) => type)).toEqual(['link.deleted']);
    const [mine, theirs] = [await hooks.deliveries(webhookId), await hooks.deliveries(id)];
    expect(theirs[0]?.message_id).toBe(mine[1]?.message_id);
    expect(theirs[0]?.body).toEqual(mine[1]?.body);
  });

  test('that is off hears nothing', async () => {
    await run('select change_webhook($1, $2, $3, false)', webhookId, 'https://a.exemplo.com.br/', EVENTS);
    await add(1);
    expect(await heard()).toEqual([]);
  });

  test('with ten thousand waiting is turned off, and its owner is told by mail', async () => {
    await database.admin.query(
      `insert into private.webhook_deliveries (webhook_id, message_id, type, body)
       select $1, 'msg_' || n, 'link.created', '{}' from generate_series(1, 9999) n`,
      [webhookId],
    );
    await add(1);
    const off = async () =>
      (await database.admin.query('select off_reason from private.webhooks where id = $1', [webhookId]))
        .rows[0];
    expect(await off()).toEqual({ off_reason: null });
    await add(1);
    expect(await off()).toEqual({ off_reason: 'full' });
    expect(await hooks.deliveries(webhookId)).toHaveLength(10_000);
    const { rows } = await queryAs(
      database,
      'service_role',
      'select kind, email from claim_account_mails(10)',
    );
    expect(rows).toEqual([{ kind: 'webhook_off', email: library.owner.email }]);
  });
});

describe('whoever has none', () => {
  test('pays for one look into an index a statement, among thousands of other people’s', async () => {
    await database.admin.query(
      `insert into private.webhooks (user_id, url, events)
       select $1, 'https://recebe.exemplo.com.br/' || n, '{link.created}' from generate_series(1, 5000) n`,
      [library.owner.id],
    );
    await database.admin.query('analyze private.webhooks');
    const { rows: sources } = await database.admin.query<{ prosrc: string }>(
      `select prosrc from pg_proc where proname = 'webhook_listeners'`,
    );
    const other = await createLibrary(database);
    const asked = sources[0]?.prosrc
      .replace('people', `'{${other.owner.id}}'::uuid[]`)
      .replace('event', `'link.created'`);
    const { rows } = await database.admin.query<Record<'QUERY PLAN', [{ Plan: object }]>>(
      `explain (analyze, buffers, format json) ${asked}`,
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan as {
      'Shared Hit Blocks': number;
      'Shared Read Blocks': number;
    };
    expect(JSON.stringify(plan)).toContain('webhooks_of_user');
    // The depth of the index, and the page that it leads to.
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThanOrEqual(4);
    await queryAs(database, other.owner, `update links set title = title || '!'`);
    const { rows: queued } = await database.admin.query(
      `select d.id from private.webhook_deliveries d join private.webhooks w on w.id = d.webhook_id where w.user_id = $1`,
      [other.owner.id],
    );
    expect(queued).toEqual([]);
  });
});
