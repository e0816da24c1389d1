import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_FOLDER, runProjectCommand } from '@linkoteca/server-process/run-project-command';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createPersonalToken } from './support/connect-assistant.ts';
import { createPerson, type Person } from './support/create-person.ts';
import { createShelf } from './support/create-shelf.ts';

const deployment = inject('deployment');

let folder: string;
let person: Person;
let token: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linkoteca-links-'));
  person = await createPerson(deployment, { plan: 'pro' });
  ({ token } = await createPersonalToken(deployment, person, 'links:write'));
});
afterAll(() => rm(folder, { recursive: true }));

const links = (...args: readonly string[]) => runProjectCommand('links', args, { XDG_CONFIG_HOME: folder });

/** As somebody types it, the token on the next line. */
function login(address: string, typed: string): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      'npm',
      ['run', '-s', 'links', '--', 'login', address],
      { cwd: PROJECT_FOLDER, env: { ...process.env, XDG_CONFIG_HOME: folder }, timeout: 60_000 },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : 1, output: stdout + stderr }),
    );
    child.stdin?.end(`${typed}\n`);
  });
}

describe('the commands for one’s own links', () => {
  test('ask to log in first, and keep the token for its owner alone', async () => {
    expect(await links('list')).toMatchObject({ code: 1, stderr: expect.stringContaining('login') });
    const wrong = await login(deployment.url, `lk_pat_${'a'.repeat(43)}`);
    expect(wrong).toMatchObject({ code: 1, output: expect.stringContaining('token') });
    expect((await links('list')).code).toBe(1);
    const entered = await login(`${deployment.url}/`, token);
    expect(entered).toMatchObject({ code: 0, output: expect.stringContaining('leitura e escrita') });
    expect(entered.output).not.toContain(token);
    const path = join(folder, 'linkoteca/credentials.json');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('save, list and search', async () => {
    const url = `https://exemplo.test/${randomUUID()}`;
    const added = await links('add', url, '--title', 'Bolo de fubá', '--tag', 'doces', '--json');
    expect(added.code, added.stderr).toBe(0);
    expect(JSON.parse(added.stdout)).toMatchObject({ url, title: 'Bolo de fubá', tags: ['doces'] });
    expect((await links('list', '--limit', '1')).stdout).toBe(`Bolo de fubá  ${url}  #doces\n`);
    const found = await links('search', 'BOLO', 'tag:doces', '--json');
    expect(JSON.parse(found.stdout)).toMatchObject({ url });
    expect(await links('add', 'javascript:alert(1)')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/URL/),
    });
    expect(await links('nothing')).toMatchObject({ code: 1, stderr: expect.stringContaining('Uso:') });
  });

  test('import what they export into another library, twice without harm', async () => {
    const { categoryId } = await createShelf(person, randomUUID());
    const rows = Array.from({ length: 12 }, (_, at) => ({
      url: `https://exemplo.test/${randomUUID()}`,
      title: `<n> & ${at}`,
      category_id: categoryId,
      user_id: person.id,
    }));
    await person.client.from('links').insert(rows).throwOnError();
    const file = join(folder, 'favoritos.html');
    const exported = await links('export', file);
    expect(exported.code, exported.stderr).toBe(0);
    const text = await readFile(file, 'utf8');
    for (const { url } of rows) expect(text).toContain(url);
    const other = await createPerson(deployment, { plan: 'pro' });
    const made = await createPersonalToken(deployment, other, 'links:write');
    const environment = {
      XDG_CONFIG_HOME: folder,
      LINKOTECA_URL: deployment.url,
      LINKOTECA_TOKEN: made.token,
    };
    await writeFile(file, `${text}<DT><A HREF="https://exemplo.test/${'x'.repeat(600)}">Longo</A>`);
    const first = await runProjectCommand('links', ['import', file, '--json'], environment);
    expect(first.code, first.stderr).toBe(0);
    const { saved, refused } = JSON.parse(first.stdout) as { saved: number; refused: number };
    expect([saved >= rows.length, refused]).toEqual([true, 1]);
    const again = await runProjectCommand('links', ['import', file, '--json'], environment);
    expect(JSON.parse(again.stdout)).toEqual({ saved: 0, already_saved: saved, refused: 1 });
    const { data } = await other.client.from('links').select('title').throwOnError();
    expect(data.map(({ title }) => title)).toEqual(expect.arrayContaining(rows.map(({ title }) => title)));
  });

  test('count one link as one', async () => {
    const reader = await createPerson(deployment);
    const made = await createPersonalToken(deployment, reader, 'links:write');
    const run = (...args: readonly string[]) =>
      runProjectCommand('links', args, {
        XDG_CONFIG_HOME: join(folder, 'um'),
        LINKOTECA_URL: deployment.url,
        LINKOTECA_TOKEN: made.token,
      });
    const file = join(folder, 'um.html');
    await writeFile(file, `<DT><A HREF="https://exemplo.test/um">Um</A>`);
    expect((await run('import', file)).stdout).toBe('1 link salvo, 0 já estavam salvos, 0 recusados.\n');
    expect((await run('import', file)).stdout).toBe('0 links salvos, 1 já estava salvo, 0 recusados.\n');
    expect((await run('export', file)).stdout).toBe(`1 link em ${file}.\n`);
    expect((await run('login', deployment.url)).stdout).toMatch(/^1 link; leitura e escrita\./);
  });
});
