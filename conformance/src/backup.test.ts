import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDataFolder, type DataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { type CommandResult, runProjectCommand } from '@linkoteca/server-process/run-project-command';
import { type ServerProcess, startServerProcess } from '@linkoteca/server-process/start-server-process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPerson, type Person } from './support/create-person.ts';
import { createShelf, type Shelf } from './support/create-shelf.ts';
import { type Client, createVisitor } from './support/create-visitor.ts';
import { type Keys, readKeys } from './support/read-keys.ts';
import { required } from './support/required.ts';

const PASSPHRASE = 'uma senha bem comprida';
const BUCKET = 'arquivos';

let parent: string;
let first: DataFolder;
let second: DataFolder;
let original: ServerProcess;
let restored: ServerProcess;
let keys: Keys;
let owner: Person;
let stranger: Person;
let shelf: Shelf;
let load: Load;
let report: CommandResult;

const backupFile = () => join(parent, 'um.backup');
const run = (
  script: 'admin' | 'backup' | 'keys' | 'restore',
  args: readonly string[],
  dataFolder: string,
  more = {},
) => runProjectCommand(script, args, { DATA_DIR: dataFolder, ...more });

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'linkoteca-backup-'));
  [first, second] = [await createDataFolder(), await createDataFolder()];
  const port = await findFreePort();
  original = await startServerProcess({ dataFolder: first.path, port });
  keys = await readKeys({ dataFolder: first.path, port });
  const deployment = { ...keys, url: original.url, dataFolder: first.path };
  owner = await createPerson(deployment, { plan: 'pro', name: 'Dona' });
  stranger = await createPerson(deployment);
  shelf = await createShelf(owner);
  await runProjectCommand('admin', [owner.email], { DATA_DIR: first.path });

  load = await startLoad(owner, shelf);
  const backup = await run('backup', [backupFile()], first.path, { BACKUP_PASSPHRASE: PASSPHRASE });
  await load.stop();
  expect(backup.code, backup.stderr).toBe(0);
  expect(backup.stdout).toContain('cifrado');

  report = await run('restore', [backupFile()], second.path, { BACKUP_PASSPHRASE: PASSPHRASE });
  expect(report.code, report.stderr).toBe(0);
  restored = await startServerProcess({ dataFolder: second.path, port: await findFreePort() });
});
afterAll(async () => {
  await Promise.all([original.stop(), restored.stop()]);
  await Promise.all([first.remove(), second.remove(), rm(parent, { recursive: true })]);
});

type Load = {
  /** What had been acknowledged when the backup began: links by title, files by name. */
  readonly before: { readonly links: readonly string[]; readonly files: readonly string[] };
  stop(): Promise<void>;
  /** What was asked for at all, and what was taken away again. */
  readonly links: ReadonlySet<string>;
  readonly deletedFiles: ReadonlySet<string>;
};

/** Links and files that come and go until it is stopped. A file is named by the sum of its bytes. */
async function startLoad({ client, id }: Person, { categoryId }: Shelf): Promise<Load> {
  const links = new Set<string>();
  const files: string[] = [];
  const deletedFiles = new Set<string>();
  let isOver = false;
  const addLink = async (title: string) => {
    links.add(title);
    const row = { title, url: 'https://example.com', category_id: categoryId, user_id: id };
    required((await client.from('links').insert(row).select('id').single()).data);
  };
  const addFile = async () => {
    const bytes = randomBytes(300_000);
    const name = `${id}/${createHash('sha256').update(bytes).digest('hex')}`;
    const { error } = await client.storage.from(BUCKET).upload(name, bytes);
    expect(error).toBeNull();
    files.push(name);
  };
  for (let at = 0; at < 20; at += 1) await Promise.all([addLink(`before ${at}`), addFile()]);
  const before = { links: [...links], files: [...files] };
  const repeat = async (act: (at: number) => Promise<unknown>) => {
    for (let at = 0; !isOver; at += 1) await act(at);
  };
  const under = [
    repeat((at) => addLink(`during ${at}`)),
    repeat(addFile),
    repeat(async () => {
      await addFile();
      const oldest = files.shift() ?? '';
      deletedFiles.add(oldest);
      const { error } = await client.storage.from(BUCKET).remove([oldest]);
      expect(error).toBeNull();
    }),
  ];
  return {
    before,
    links,
    deletedFiles,
    stop: async () => {
      isOver = true;
      await Promise.all(under);
    },
  };
}

/** The restored server as the person who was signed in at the original: with the very token they hold. */
async function withOldToken(person: Person): Promise<Client> {
  const { data } = await person.client.auth.getSession();
  const client = createVisitor({ url: restored.url, anonKey: keys.anonKey });
  const { access_token = '', refresh_token = '' } = data.session ?? {};
  const set = await client.auth.setSession({ access_token, refresh_token });
  expect(set.error).toBeNull();
  return client;
}

/** All names below the person's folder. */
async function listFiles(client: Client, { id }: Person): Promise<string[]> {
  const { data, error } = await client.storage.from(BUCKET).list(id, { limit: 10_000 });
  return required(data, error).map(({ name }) => name);
}

describe('a backup made while people write, upload and delete', () => {
  test('is restored with a word on what was checked', () => {
    expect(report.stdout).toMatch(/Restaurado o backup de .+ linhas e \d+ arquivos, todos conferidos/);
    expect(report.stdout).not.toContain('Atenção');
  });

  test('has all that was acknowledged before it, and nothing that nobody wrote', async () => {
    const client = await withOldToken(owner);
    const { data, error } = await client.from('links').select('title').limit(10_000);
    const titles = required(data, error).map(({ title }) => title as string);
    expect(titles).toEqual(expect.arrayContaining([...load.before.links]));
    expect(titles.filter((title) => !load.links.has(title))).toEqual([]);
    expect(new Set(titles).size).toBe(titles.length);
    // Rows, the counters that triggers keep and the search's own copy are of the same instant.
    const counts = await client.from('library_counts').select('link_count').eq('user_id', owner.id).single();
    expect(required(counts.data, counts.error).link_count).toBe(titles.length);
    const found = await client.rpc('search_links', { term: 'before' });
    expect(required<unknown[]>(found.data, found.error).length).toBeGreaterThan(0);
  });

  test('has the bytes of every file that it names, also of those that were deleted meanwhile', async () => {
    const client = await withOldToken(owner);
    const names = await listFiles(client, owner);
    const stillThere = load.before.files.filter((name) => !load.deletedFiles.has(name));
    expect(names).toEqual(expect.arrayContaining(stillThere.map((name) => name.slice(owner.id.length + 1))));
    for (const name of names) {
      const { data, error } = await client.storage.from(BUCKET).download(`${owner.id}/${name}`);
      const bytes = Buffer.from(await required(data, error).arrayBuffer());
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(name);
    }
    expect(names.length).toBeGreaterThan(0);
  });

  test('brings back keys, passwords, plans and the administrator', async () => {
    expect({ ...(await readKeys({ dataFolder: second.path, port: 1 })), url: '' }).toEqual({
      ...keys,
      url: '',
    });
    const client = createVisitor({ url: restored.url, anonKey: keys.anonKey });
    const { email, password } = owner;
    expect((await client.auth.signInWithPassword({ email, password })).error).toBeNull();
    const profile = await client.from('profiles').select('plan').eq('id', owner.id).single();
    expect(required(profile.data, profile.error).plan).toBe('pro');
    expect((await client.rpc('is_admin')).data).toBe(true);
  });

  test('goes on from there: writing, deleting, uploading', async () => {
    const client = await withOldToken(owner);
    const row = {
      title: 'depois',
      url: 'https://example.com',
      category_id: shelf.categoryId,
      user_id: owner.id,
    };
    const added = await client.from('links').insert(row).select('id').single();
    const { id } = required(added.data, added.error);
    expect((await client.rpc('delete_links', { link_ids: [id] })).error).toBeNull();
    const upload = await client.storage.from(BUCKET).upload(`${owner.id}/${randomUUID()}`, Buffer.from('x'));
    expect(upload.error).toBeNull();
  });
});

describe('a stranger at the restored server', () => {
  const TABLES = [
    'folders',
    'categories',
    'links',
    'favorites',
    'folder_looks',
    'inboxes',
    'manual_order',
    'saved_searches',
    'tags',
    'link_tags',
    'shared_with',
    'subscribers',
    'profiles',
    'library_counts',
  ];

  test.each(TABLES)(
    'sees nothing of %s with the public key, and with an account nothing of others',
    async (table) => {
      const visitor = createVisitor({ url: restored.url, anonKey: keys.anonKey });
      expect((await visitor.from(table).select('*')).data ?? []).toEqual([]);
      const client = await withOldToken(stranger);
      const { data } = await client.from(table).select('*');
      expect(JSON.stringify(data ?? [])).not.toContain(owner.id);
      for (const method of ['POST', 'PATCH', 'DELETE'])
        expect((await ask(method, `/rest/v1/${table}`)).status).toBeGreaterThanOrEqual(400);
    },
  );

  test.each<[string, (ids: { owner: string; stranger: string }) => Record<string, unknown>]>([
    ['get_all_profiles', () => ({})],
    ['get_all_user_emails', () => ({})],
    ['admin_list_users', () => ({})],
    ['admin_change_plan', ({ stranger: user_id }) => ({ user_id, plan: 'pro' })],
    ['admin_user_links', ({ owner: user_id }) => ({ user_id })],
    ['apply_subscription', () => ({ customer_id: 'cus_1', ticket: 1, state: {} })],
    ['close_account', ({ owner: user_id }) => ({ user_id })],
    ['purge_account', ({ owner: user_id }) => ({ user_id })],
    ['finish_account_upkeep', () => ({})],
    ['claim_share_notifications', () => ({})],
    ['list_files_to_purge', ({ owner: user_id }) => ({ user_id })],
    ['list_leftover_covers', () => ({})],
  ])('cannot call %s', async (name, argumentsOf) => {
    const values = argumentsOf({ owner: owner.id, stranger: stranger.id });
    const visitor = createVisitor({ url: restored.url, anonKey: keys.anonKey });
    for (const client of [visitor, await withOldToken(stranger)]) {
      const { data, error } = await client.rpc(name, values);
      expect(data ?? []).toEqual([]);
      // What a signed-in person may call at all tells them nothing and does nothing.
      if (error !== null) expect(error.code).toMatch(/^(42501|PGRST202|P0001)$/);
      else expect(name).toMatch(/^(get_all|admin)_/);
    }
  });

  test('gives nobody a plan, deletes no account and reads no file', async () => {
    const client = await withOldToken(stranger);
    await client.from('profiles').update({ plan: 'pro' }).eq('id', stranger.id);
    await client
      .from('subscribers')
      .upsert({ user_id: stranger.id, plan: 'pro', subscription_status: 'active' });
    const profile = await client.from('profiles').select('plan').eq('id', stranger.id).single();
    expect(required(profile.data, profile.error).plan).toBe('free');
    const [name = ''] = await listFiles(await withOldToken(owner), owner);
    for (const visitor of [client, createVisitor({ url: restored.url, anonKey: keys.anonKey })]) {
      expect((await visitor.storage.from(BUCKET).download(`${owner.id}/${name}`)).data).toBeNull();
      expect((await visitor.storage.from(BUCKET).list(owner.id)).data ?? []).toEqual([]);
    }
    for (const schema of ['private', 'auth', 'linkoteca_platform', 'supabase_migrations', 'storage'])
      expect((await ask('GET', '/rest/v1/users', { 'accept-profile': schema })).status).toBe(406);
  });

  /** As somebody without an account who knows the public key. */
  const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
    fetch(`${restored.url}${path}`, {
      method,
      headers: { apikey: keys.anonKey, 'content-type': 'application/json', ...headers },
      ...(method === 'GET' ? {} : { body: JSON.stringify({ plan: 'pro' }) }),
    });
});

describe('the commands', () => {
  test('a backup is its owner’s alone', async () => {
    expect((await stat(backupFile())).mode & 0o777).toBe(0o600);
  });

  test('a restoration refuses the folder of a running server, and changes nothing', async () => {
    const { code, stderr } = await run('restore', [backupFile(), '--replace'], second.path, {
      BACKUP_PASSPHRASE: PASSPHRASE,
    });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^Outra cópia da Linkoteca .*já usa a pasta de dados .*\n$/),
    ]);
    expect((await fetch(`${restored.url}/health`)).status).toBe(200);
  });

  test('each wrong file has a line of its own, and leaves an empty folder empty', async () => {
    const whole = await readFile(backupFile());
    const altered = Buffer.from(whole);
    altered[whole.length - 1000] = (altered[whole.length - 1000] ?? 0) ^ 1;
    const cut = whole.subarray(0, whole.length / 2);
    const cases: [string, Buffer, Record<string, string>, string][] = [
      ['cut', cut, { BACKUP_PASSPHRASE: PASSPHRASE }, 'O backup está incompleto'],
      ['altered', altered, { BACKUP_PASSPHRASE: PASSPHRASE }, 'foi alterado'],
      ['locked', whole, {}, 'defina BACKUP_PASSPHRASE'],
      ['wrong', whole, { BACKUP_PASSPHRASE: 'uma outra senha' }, 'não é a senha deste backup'],
      ['foreign', Buffer.from('-- PostgreSQL database dump'), {}, 'não é um backup da Linkoteca'],
    ];
    const empty = await createDataFolder();
    for (const [name, content, environment, message] of cases) {
      await writeFile(join(parent, name), content);
      const { code, stderr, stdout } = await run('restore', [join(parent, name)], empty.path, environment);
      expect([code, stdout]).toEqual([1, '']);
      // Where it takes long, it says how far it is.
      const told = stderr
        .split('\n')
        .filter((line) => line !== '' && !/^\d+ linhas, \d+ arquivos$/.test(line));
      expect(told).toEqual([expect.stringContaining(message)]);
      expect(
        (await readdir(empty.path, { recursive: true })).filter((found) => !found.startsWith('postgres')),
      ).toEqual([]);
      expect(await readdir(join(empty.path, 'postgres'))).toEqual([]);
    }
    await empty.remove();
  });

  test('say how they are used, and what is missing', async () => {
    expect((await run('backup', [], first.path)).stderr).toMatch(/^Uso: npm run backup -- ARQUIVO/);
    expect((await run('restore', [], first.path)).stderr).toMatch(/^Uso: npm run restore -- ARQUIVO/);
    expect((await run('backup', ['--ajuda'], first.path)).stderr).toMatch(/^Uso: npm run backup -- ARQUIVO/);
    expect((await run('restore', ['--ajuda'], first.path)).stderr).toMatch(/^Uso: npm run restore/);
    expect(
      (await run('restore', [join(parent, 'nada')], second.path, { DATA_DIR: join(parent, 'x') })).stderr,
    ).toContain('nada não existe.');
    await copyFile(backupFile(), join(parent, 'outro'));
    expect((await run('backup', [join(parent, 'outro')], first.path)).stderr).toContain(
      'já existe: escolha outro nome',
    );
    expect((await run('backup', [join(parent, 'y')], join(parent, 'nowhere'))).stderr).toContain(
      'não há banco de dados',
    );
  });

  test('a backup of a stopped server is as good', async () => {
    await original.stop();
    const { code, stdout } = await run('backup', [join(parent, 'parado')], first.path);
    expect([code, stdout]).toEqual([0, expect.stringContaining('sem cifra')]);
  });
});

test('a backup is not made with secrets that are not those of the server', async () => {
  const data = await createDataFolder();
  const environment = { JWT_SECRET: randomBytes(32).toString('hex') };
  const server = await startServerProcess({ dataFolder: data.path, port: await findFreePort(), environment });
  try {
    // Commands that make one where the embedded database is not there yet.
    expect((await run('keys', [], data.path)).stderr).toContain('não há secrets.json');
    expect((await run('admin', ['a@example.com'], data.path)).stderr).toContain('não há secrets.json');
    const file = join(parent, 'segredo.backup');
    const without = await run('backup', [file], data.path);
    expect(without).toMatchObject({ code: 1, stdout: '' });
    expect(without.stderr).toContain('não há secrets.json');
    expect(await readdir(data.path)).not.toContain('secrets.json');
    expect(await readdir(parent)).not.toContain('segredo.backup');
    const given = await run('backup', [file], data.path, environment);
    expect(given.code, given.stderr).toBe(0);
  } finally {
    await server.stop();
    await data.remove();
  }
});
