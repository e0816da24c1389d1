import { randomUUID } from 'node:crypto';
import { createDataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { runServerToItsEnd } from '@linkoteca/server-process/start-server-process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createNewerProgram } from './support/create-newer-program.ts';
import { type Client, createVisitor } from './support/create-visitor.ts';
import { required } from './support/required.ts';
import { type Copies, type ServerCopy, startCopies } from './support/start-copies.ts';

/** More by hand: `UPGRADE_ROUNDS=20 npx vitest run --project conformance conformance/src/rolling-upgrades.test.ts`. */
const ROUNDS = Number(process.env['UPGRADE_ROUNDS'] ?? 2);
const WRITERS = 4;
const MINUTE = 60_000;

let copies: Copies;
/** What a load balancer sends requests to. */
let serving: ServerCopy[];
beforeAll(async () => {
  copies = await startCopies();
  serving = await Promise.all([copies.start(), copies.start()]);
});
afterAll(() => copies.stop());

/**
 * A version that changes what writers use all the time, against their order (a link before its counters), and takes its time: columns,
 * policies, triggers, an index, rows of other people. Rights stay as they are.
 */
const changesOf = (round: number): Readonly<Record<string, string>> => ({
  [`2099${String(round).padStart(4, '0')}010101_add_columns.sql`]: `
    alter table public.library_counts add column extra_${round} text;
    select pg_sleep(0.2);
    alter table public.category_counts add column extra_${round} text;
    alter table public.links add column extra_${round} text;
    alter table public.categories add column extra_${round} text default 'x';
    update public.links set extra_${round} = title;
  `,
  [`2099${String(round).padStart(4, '0')}010102_replace_rules.sql`]: `
    drop policy links_delete_own on public.links;
    select pg_sleep(0.2);
    create policy links_delete_own on public.links for delete to authenticated using (
      case when user_id = (select auth.uid()) then true else category_id = any ((select private.writable_category_ids())::uuid[]) end
    );
    alter table public.folders drop constraint if exists folders_round;
    alter table public.folders add constraint folders_round check (name <> '${randomUUID()}');
    alter table auth.users set (fillfactor = ${50 + (round % 40)});
    alter table public.profiles set (fillfactor = ${50 + (round % 40)});
    create index links_round_${round} on public.links (title, extra_${round});
    drop index if exists public.links_round_${round - 1};
  `,
});

/** As a load balancer does it: a copy that does not take the connection is not asked again, whatever was answered counts. */
const answers = new Map<number, number>();
const failures: string[] = [];
async function balance(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const url = new URL(String(input));
  for (let attempt = 0; ; attempt += 1) {
    const copy = serving[Math.floor(Math.random() * serving.length)];
    try {
      const response = await fetch(new URL(url.pathname + url.search, copy?.url), init);
      answers.set(response.status, (answers.get(response.status) ?? 0) + 1);
      if (response.status >= 500)
        failures.push(`${response.status} ${init?.method} ${url.pathname} ${await response.clone().text()}`);
      return response;
    } catch (error) {
      if (attempt > 20) throw error;
    }
  }
}

type Writer = { readonly links: Set<string>; readonly finish: () => Promise<void> };

/** Somebody who adds, changes, moves and deletes links until told to stop. */
async function startWriter(): Promise<Writer> {
  const [first] = serving;
  if (first === undefined) throw new Error('nothing serves');
  const account = { email: `ana-${randomUUID()}@example.com`, password: 'uma senha boa' };
  const operator = createVisitor({ url: first.url, anonKey: first.serviceRoleKey });
  await operator.auth.admin.createUser({ ...account, email_confirm: true });
  const client = createVisitor(first, balance);
  const signedIn = await client.auth.signInWithPassword(account);
  required(signedIn.data.user, signedIn.error);
  const [folderId, categoryId] = [randomUUID(), randomUUID()];
  await expectDone(client.from('folders').insert({ id: folderId, name: 'F' }));
  await expectDone(client.from('categories').insert({ id: categoryId, name: 'C', folder_id: folderId }));
  const links = new Set<string>();
  let isOver = false;
  const writing = (async () => {
    for (let n = 0; !isOver; n += 1) await writeOnce(client, categoryId, links, n);
  })();
  return {
    links,
    finish: async () => {
      isOver = true;
      await writing;
    },
  };
}

async function writeOnce(client: Client, categoryId: string, links: Set<string>, n: number): Promise<void> {
  const id = randomUUID();
  const url = `https://exemplo.com/${id}`;
  // The whole row comes back: the columns change under it.
  await expectDone(client.from('links').upsert({ id, title: 'L', url, category_id: categoryId }).select('*'));
  links.add(id);
  await expectDone(
    client
      .from('links')
      .update({ title: `L ${n}` })
      .eq('id', id)
      .select('*'),
  );
  await expectDone(
    client
      .from('categories')
      .update({ name: `C ${n}` })
      .eq('id', categoryId),
  );
  await expectDone(client.from('links').select('*,categories(*)').limit(20));
  await expectDone(client.rpc('search_links', { term: 'exemplo' }));
  if (links.size > 15) {
    const [oldest = ''] = links;
    await expectDone(client.from('links').delete().eq('id', oldest));
    links.delete(oldest);
  }
}

async function expectDone<T extends { readonly error: unknown }>(asked: PromiseLike<T>): Promise<T> {
  const answer = await asked;
  if (answer.error !== null) failures.push(JSON.stringify(answer.error));
  return answer;
}

/** The version before does not start on the schema of the newer one, and says which migration it does not know. */
async function expectEarlierRefused(): Promise<void> {
  const data = await createDataFolder();
  const { code, output } = await runServerToItsEnd({
    dataFolder: data.path,
    port: await findFreePort(),
    environment: { DATABASE_URL: copies.postgres.url, JWT_SECRET: copies.jwtSecret },
  });
  await data.remove();
  expect([code, output]).toEqual([
    1,
    expect.stringContaining(
      `O banco de dados é de uma versão mais nova da Linkoteca (migração 2099${String(ROUNDS).padStart(4, '0')}010102_replace_rules): use essa versão`,
    ),
  ]);
}

test(`a newer version replaces the copies one by one under writes, ${ROUNDS} times: each starts, nobody sees an error, nothing is lost, and the version before is refused afterwards`, {
  timeout: (ROUNDS + 1) * MINUTE,
}, async () => {
  const writers = await Promise.all(Array.from({ length: WRITERS }, startWriter));
  let changes = {};
  for (let round = 1; round <= ROUNDS; round += 1) {
    changes = { ...changes, ...changesOf(round) };
    const program = await createNewerProgram(changes);
    for (const old of [...serving]) {
      serving.push(await copies.start(program.folder));
      serving = serving.filter((copy) => copy !== old);
      expect(await old.process.stop(), old.process.output()).toBe(0);
    }
    await program.remove();
  }
  await Promise.all(writers.map(({ finish }) => finish()));
  expect([...new Set(failures)], `${failures.length} errors`).toEqual([]);
  const acknowledged = writers.flatMap(({ links }) => [...links]);
  const { rows } = await copies.postgres.query('select id from public.links where id = any ($1)', [
    acknowledged,
  ]);
  expect([rows.length, acknowledged.length > 0]).toEqual([acknowledged.length, true]);
  const { rows: counted } = await copies.postgres.query('select count(*)::int from public.links');
  expect(counted).toEqual([{ count: acknowledged.length }]);
  await expectEarlierRefused();
});
