import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createDataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { openServerDatabase } from '@linkoteca/server-process/open-server-database';
import { PROJECT_FOLDER, runProjectCommand } from '@linkoteca/server-process/run-project-command';
import { runServerToItsEnd, startServerProcess } from '@linkoteca/server-process/start-server-process';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createNewerProgram } from './support/create-newer-program.ts';
import { createPerson } from './support/create-person.ts';
import { createShelf } from './support/create-shelf.ts';
import { type Client, createVisitor } from './support/create-visitor.ts';
import { readKeys } from './support/read-keys.ts';

const deployment = inject('deployment');
const read = (path: string) => readFileSync(join(PROJECT_FOLDER, path), 'utf8');
const operations = read('docs/operations.md');
const readme = read('README.md');
const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Record<string, string> };

/** What stands between backquotes in a line, and each line of a block of commands. */
function listCode(document: string): readonly string[] {
  const blocks = [...document.matchAll(/^ *```(?:sh)?\n([\s\S]*?)^ *```$/gm)].flatMap(([, block = '']) =>
    block.split('\n'),
  );
  const inline = [...document.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').matchAll(/`([^`\n]+)`/g)];
  return [...blocks, ...inline.map(([, code = '']) => code)]
    .map((code) => code.replace(/\s+#.*$/, '').trim())
    .filter((code) => code !== '');
}

const STARTS_A_COMMAND =
  /^(?:[A-Z][A-Z_]*=\S* )*(npm|npx|curl|supabase|stripe|git|aws|pg_dump|pg_restore|podman|docker) [^/]/;
const commands = [...new Set([...listCode(operations), ...listCode(readme)])].filter((code) =>
  STARTS_A_COMMAND.test(code),
);

/** Programs that are not a part of the product, or need somebody's account: what they are told cannot be tried here. */
const ELSEWHERE = /^(?:supabase|stripe|aws|git|podman|docker|pg_dump|pg_restore) /;
/** Commands that other tests follow, to the letter or nearly so. */
const FOLLOWED = new Map([
  ['npm start', 'scripts/run-entry.test.mjs'],
  ['npm test', 'scripts/test.mjs'],
  ['npm run check', 'scripts/test.mjs'],
  ['npm run recover', 'conformance/src/recovery.test.ts'],
  ['npm run backup', 'conformance/src/backup.test.ts'],
  ['npm run restore', 'conformance/src/backup.test.ts'],
  ['npm run upgrade-postgres', 'apps/server/src/commands/upgrade-postgres.test.ts'],
  ['npm run faults', 'conformance/src/faults.test.ts'],
  ['npm run demo', 'conformance/src/operator-commands.test.ts'],
  ['npm run signing-key', 'apps/server/src/commands/signing-key.test.ts'],
  ['npm run admin', 'conformance/src/operator-commands.test.ts'],
  ['npm run -s keys', 'conformance/src/operator-commands.test.ts'],
  ['npm run -s programs', 'conformance/src/operator-commands.test.ts'],
]);
/** What only the hosted platform has. */
const HOSTED = /\b(?:vault|cron|net)\./;
/** For whoever develops: nothing an operator depends on. */
const DEVELOPMENT = /^npm (?:run (?:dev|bench|acts|screenshot|store)\b|i -E )/;
/** Packed and installed by a test of their own. */
const PACKED = /^(?:npm pack|npx (?:\.\/)?linkoteca|npm install --prefix)/;

describe('the operations document and the README', () => {
  test('name npm scripts that exist, and each command is followed by a test or cannot run here', () => {
    expect(commands.length).toBeGreaterThan(20);
    const settingsAway = commands.map((command) => command.replace(/^(?:[A-Z_]+=\S* )+/, ''));
    const nobodys = settingsAway.filter((command) => {
      if (ELSEWHERE.test(command) || DEVELOPMENT.test(command) || PACKED.test(command)) return false;
      if (command.startsWith('curl -X POST SITE_URL/')) return false;
      return ![...FOLLOWED.keys()].some((name) => command === name || command.startsWith(`${name} `));
    });
    expect(nobodys).toEqual([]);
    for (const command of settingsAway) {
      const script = /^npm run (?:-s )?([\w:-]+)/.exec(command)?.[1];
      if (script !== undefined) expect(Object.keys(scripts)).toContain(script);
      const followed = [...FOLLOWED].find(([name]) => command === name || command.startsWith(`${name} `));
      if (followed !== undefined)
        expect(existsSync(join(PROJECT_FOLDER, followed[1])), followed[1]).toBe(true);
    }
  });

  test('every statement of SQL works on a running installation', async () => {
    const statements = [...operations.matchAll(/`((?:select|delete|update|vacuum) [^`]+)`/g)].map(
      ([, statement = '']) => statement,
    );
    // 'N' stands for a process id, and a bare count for one of a table of the reader's choice.
    const runnable = statements
      .filter((statement) => statement !== 'select count(*)' && !HOSTED.test(statement))
      .map((statement) => statement.replace('(N)', '(0)').replace("'…'", 'null'));
    expect(runnable.length).toBeGreaterThan(8);
    const database = await openServerDatabase(deployment.dataFolder);
    try {
      for (const statement of runnable) {
        const isVacuum = statement.startsWith('vacuum');
        if (!isVacuum) await database.query('begin');
        await database.query(statement).catch((error: unknown) => expect.fail(`${statement}: ${error}`));
        if (!isVacuum) await database.query('rollback');
      }
    } finally {
      await database.end();
    }
  });

  test('what it says about reaching the database leads to its owner', async () => {
    const [, host = '', user, name] = /`psql -h (\S+) -U (\S+) (\S+)`/.exec(operations) ?? [];
    const [, field = ''] = /`(\w+)` in `postgres\/server\.lock`/.exec(operations) ?? [];
    const lock = JSON.parse(readFileSync(join(deployment.dataFolder, 'postgres/server.lock'), 'utf8'));
    const database = await openServerDatabase(deployment.dataFolder);
    try {
      expect({ user, name }).toEqual({ user: database.user, name: database.database });
      for (const folder of [host.replace('DATA_DIR', deployment.dataFolder), lock[field]])
        expect(realpathSync(folder)).toBe(realpathSync(database.host));
      const owned = `select from pg_class where oid = 'public.links'::regclass and relowner = current_user::regrole`;
      expect((await database.query(owned)).rowCount).toBe(1);
    } finally {
      await database.end();
    }
  });

  test('every call with curl is answered 200', async () => {
    const calls = commands.filter((command) => command.startsWith('curl '));
    expect(calls.length).toBeGreaterThan(1);
    for (const call of calls) {
      const asked = call
        .replace('SITE_URL', deployment.url)
        .replace('SERVICE_KEY', deployment.serviceRoleKey)
        .replace(/^curl /, 'curl -sS -o /dev/null -w "%{http_code}" ');
      expect(await runShell(asked), call).toBe('200');
    }
  });

  test('metrics that are named are served', async () => {
    const served = await (await fetch(`${deployment.url}/metrics`)).text();
    const named = new Set(operations.match(/\blinkoteca_[a-z_]+[a-z]\b(?!\.)/g));
    expect(named.size).toBeGreaterThan(10);
    expect(
      [...named].filter((name) => !served.includes(`\n${name}`) && !served.includes(` ${name} `)),
    ).toEqual([]);
  });

  test('the jobs that are named are those that run', async () => {
    const [, list = ''] = /the jobs are ((?:`\w+`(?:, )?)+)\./.exec(operations) ?? [];
    const named = [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    const served = await (await fetch(`${deployment.url}/metrics`)).text();
    const running = [...served.matchAll(/^linkoteca_job_runs_total\{name="(\w+)"\}/gm)].map(
      ([, name]) => name,
    );
    // This server is told neither to back up nor to keep a log to go back by.
    expect([...running, 'backup', 'base_backup'].toSorted()).toEqual(named);
  });

  test('the events that the payment provider tells of are listed once, and the way to the real one leads there', () => {
    const named = [...operations.matchAll(/`((?:checkout|customer|invoice|charge|refund)\.[a-z_.*]+)`/g)];
    const events = named.map(([, event = '']) => event);
    expect(events).toEqual([...new Set(events)]);
    expect(events).toEqual(
      expect.arrayContaining(['refund.failed', 'checkout.session.async_payment_succeeded', 'invoice.paid']),
    );
    const [, step = ''] = /^4\. (\*\*Webhook\*\*[\s\S]*?)^5\. /m.exec(operations) ?? [];
    expect(step).toContain('(#payments)');
    expect(step).not.toMatch(/API version/);
  });

  test('a restore is tried without any setting that reaches what the live installation has outside', () => {
    const line = operations.split('\n').find((each) => each.includes('Try a restore')) ?? '';
    for (const setting of ['WEBHOOKS=false', 'LINK_CHECKS=false']) expect(line).toContain(`\`${setting}\``);
    const never = line.split('Never with ')[1];
    for (const setting of ['S3_*', 'WAL_ARCHIVE_DIR', 'BACKUP_TO', 'STRIPE_*', 'SMTP_URL', 'DATABASE_URL'])
      expect(never).toContain(`\`${setting}\``);
  });

  test('whoever deleted their account after a backup is not said to be purged again by itself, where a way back is told of', () => {
    expect(operations).toContain('**Deletions asked for since are not in it**');
    expect(operations).not.toContain('their closures are in it as well');
    for (const title of ['## Backups', '## Going back to a moment']) {
      const [section = ''] = operations.slice(operations.indexOf(`${title}\n`) + 3).split('\n## ');
      expect(section, title).toContain('(#accounts-that-leave-or-lie-idle)');
    }
  });

  test('a rotation is said to end with the old secret gone from its file', () => {
    const [, section = ''] = operations.split('## Rotating the keys\n');
    const [, end = ''] = /^2\. ([\s\S]*?)^$/m.exec(section) ?? [];
    expect(end.replaceAll(/\s+/g, ' ')).toContain(
      'Then delete the old `secrets.json` in `DATA_DIR`, or put the new secret into it',
    );
  });

  test('both say of the same commands that they work while the server runs', () => {
    const [, table = ''] = readme.split('## Commands for operators');
    const listed = [...table.matchAll(/^\| `npm run (?:-s )?([\w-]+)/gm)].map(([, name]) => name);
    expect(listed.slice(0, 6)).toEqual(['keys', 'signing-key', 'programs', 'admin', 'demo', 'backup']);
    expect(readme).toContain(
      'The first six work while the server runs and while it does not; `restore`, `recover` and `upgrade-postgres` while it does not.',
    );
    expect(operations).toContain(
      'They work while the server runs and while it does not (`restore` only while it does not)',
    );
  });

  test('what is quoted for three in the morning is said by the program', () => {
    const sources = globSync(
      [
        '{apps/server,packages/*}/src/**/*.ts',
        'packages/*/src/**/*.ts',
        'scripts/*.mjs',
        'supabase/functions/**/*.ts',
      ],
      { cwd: PROJECT_FOLDER, exclude: ['**/*.test.ts'] },
    ).map(read);
    const source = sources.join('\n');
    const section = operations.slice(operations.indexOf('## At three in the morning'));
    const quoted = [...section.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/"([^"]{12,})"/g)].map(([, text = '']) => text),
    );
    expect(quoted.length).toBeGreaterThan(20);
    // Names and numbers stand between what the program says word for word.
    const pieces = quoted.flatMap((text) =>
      text
        .split(/…|\bN\b|[()]|secrets\.json|\b\d+\b/)
        .map((piece) => piece.replace(/^[\s,:;]+|[\s,:;]+$/g, ''))
        .filter((piece) => piece.length > 8),
    );
    expect(pieces.filter((piece) => !source.includes(piece))).toEqual([]);
  });
});

test('docs/reliability.md names tests that there are', () => {
  let path = '';
  const missing: string[] = [];
  const lines = read('docs/reliability.md').split('\n');
  for (const line of lines.filter((each) => each.startsWith('| '))) {
    const cell = line.split(' | ').at(-1) ?? '';
    for (const [, file, name] of cell.matchAll(/`([^`]+\.(?:test|spec)\.(?:tsx?|mjs))`|'([^']+)'/g)) {
      path = file ?? path;
      if (name !== undefined && !read(path).includes(name)) missing.push(`${path}: ${name}`);
    }
  }
  expect(missing).toEqual([]);
});

test('the document followed in one go: backup, restore elsewhere, rotate the keys, upgrade, and the way back', async () => {
  const [first, data, backups, port] = await Promise.all([
    createDataFolder(),
    createDataFolder(),
    createDataFolder(),
    findFreePort(),
  ]);
  for (const { remove } of [first, data, backups]) onTestFinished(remove);
  const file = join(backups.path, 'linkoteca.backup');
  const titles = async (client: Client) =>
    (await client.from('links').select('title').order('title').throwOnError()).data.map(({ title }) => title);
  let server = await startServerProcess({ dataFolder: first.path, port });
  onTestFinished(async () => {
    await server.stop();
  });
  const before = await readKeys({ dataFolder: first.path, port });
  const person = await createPerson({ ...before, url: server.url, dataFolder: first.path });
  const shelf = await createShelf(person);
  const insert = (title: string) =>
    person.client
      .from('links')
      .insert({ title, url: 'https://example.com', category_id: shelf.categoryId, user_id: person.id })
      .throwOnError();
  await insert('um');

  // Backups: while it runs, then into another folder.
  const made = await runProjectCommand('backup', [file], { DATA_DIR: first.path, PORT: String(port) });
  expect(made.code, made.stderr).toBe(0);
  await insert('depois da cópia');
  await server.stop();
  const restored = await runProjectCommand('restore', [file], { DATA_DIR: data.path, PORT: String(port) });
  expect(restored.code, restored.stderr).toBe(0);
  const start = (environment: Readonly<Record<string, string>> = {}, projectFolder = PROJECT_FOLDER) =>
    startServerProcess({ dataFolder: data.path, port, environment, projectFolder });
  server = await start();
  expect(await readKeys({ dataFolder: data.path, port })).toEqual(before);
  expect(await titles(person.client)).toEqual(['um']);
  const session = (await person.client.auth.getSession()).data.session;
  await server.stop();

  // Rotating the keys: nobody is logged out, and the old keys end.
  const { jwtSecret: old } = JSON.parse(readFileSync(join(data.path, 'secrets.json'), 'utf8'));
  expect(old.length).toBeGreaterThan(31);
  const fresh = 'n'.repeat(40);
  server = await start({ JWT_SECRET: `${fresh},${old}` });
  const during = await readKeysWith({ dataFolder: data.path, port, jwtSecret: `${fresh},${old}` });
  expect(during.anonKey).not.toBe(before.anonKey);
  expect(await titles(person.client)).toEqual(['um']);
  await server.stop();
  server = await start({ JWT_SECRET: fresh });
  const visitor = createVisitor({ ...during, url: server.url });
  const refreshed = await visitor.auth.refreshSession({ refresh_token: session?.refresh_token ?? '' });
  expect(refreshed.error).toBeNull();
  expect(await titles(visitor)).toEqual(['um']);
  expect((await person.client.from('profiles').select('id')).error).not.toBeNull();
  rmSync(join(data.path, 'secrets.json'));
  const stale = await runProjectCommand('backup', [`${file}.stale`], { DATA_DIR: data.path });
  expect(stale).toMatchObject({ code: 1, stderr: expect.stringContaining('não há secrets.json') });
  await server.stop();

  // Upgrades: backed up first, and this version does not start on the newer schema.
  const newer = await createNewerProgram({
    '29990101000000_rename_all.sql': `update public.links set title = title || ' (novo)' where true;`,
  });
  onTestFinished(newer.remove);
  server = await start({ JWT_SECRET: fresh }, newer.folder);
  expect(await titles(visitor)).toEqual(['um (novo)']);
  await server.stop();
  const refused = await runServerToItsEnd({
    dataFolder: data.path,
    port,
    environment: { JWT_SECRET: fresh },
  });
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('29990101000000') });

  // The way back: the backup that the upgrade made.
  const [kept = ''] = globSync('backups/before-*.backup', { cwd: data.path });
  const back = await runProjectCommand('restore', [join(data.path, kept), '--replace'], {
    DATA_DIR: data.path,
    PORT: String(port),
    JWT_SECRET: fresh,
  });
  expect(back.code, back.stderr).toBe(0);
  server = await start({ JWT_SECRET: fresh });
  expect(await titles(visitor)).toEqual(['um']);
}, 180_000);

async function readKeysWith(server: { dataFolder: string; port: number; jwtSecret: string }) {
  const { stdout } = await runProjectCommand('keys', [], {
    DATA_DIR: server.dataFolder,
    JWT_SECRET: server.jwtSecret,
  });
  return JSON.parse(stdout) as Awaited<ReturnType<typeof readKeys>>;
}

function runShell(command: string): Promise<string> {
  return new Promise((resolve, reject) =>
    execFile('sh', ['-c', command], { timeout: 60_000 }, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    ),
  );
}
