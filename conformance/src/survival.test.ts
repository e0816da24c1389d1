import { createDataFolder, type DataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import {
  runServerToItsEnd,
  type ServerProcess,
  startServerProcess,
} from '@linkoteca/server-process/start-server-process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPerson, type Person } from './support/create-person.ts';
import { createShelf, type Shelf } from './support/create-shelf.ts';
import { findPostgres } from './support/postgres-processes.ts';
import { readKeys } from './support/read-keys.ts';
import { required } from './support/required.ts';

let data: DataFolder;
let port: number;
let server: ServerProcess;
let person: Person;
let shelf: Shelf;
beforeAll(async () => {
  data = await createDataFolder();
  port = await findFreePort();
  server = await startServerProcess({ dataFolder: data.path, port });
  const keys = await readKeys({ dataFolder: data.path, port });
  person = await createPerson({ ...keys, url: server.url, dataFolder: data.path }, { plan: 'pro' });
  shelf = await createShelf(person);
});
afterAll(async () => {
  await server.stop();
  await data.remove();
});

const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

type Writing = {
  /** The titles whose insert was acknowledged so far. */
  readonly acknowledged: readonly string[];
  readonly cut: Promise<void>;
};

/** Inserts until the connection breaks; resolves once a few inserts were acknowledged, and more are under way. */
async function startWriting(label: string): Promise<Writing> {
  const acknowledged: string[] = [];
  const write = async () => {
    for (let index = 0; ; index += 1) {
      const title = `${label} ${index}`;
      const { error } = await person.client.from('links').insert({
        title,
        url: 'https://example.com',
        category_id: shelf.categoryId,
        user_id: person.id,
      });
      if (error !== null) return;
      acknowledged.push(title);
    }
  };
  const cut = write();
  await expect.poll(() => acknowledged.length, { timeout: 30_000, interval: 5 }).toBeGreaterThan(10);
  return { acknowledged, cut };
}

async function titlesStored(label: string): Promise<string[]> {
  const { data: rows, error } = await person.client
    .from('links')
    .select('title')
    .like('title', `${label} %`)
    .limit(1000);
  return required(rows, error).map((row) => row.title as string);
}

async function expectNothingLost(label: string, acknowledged: readonly string[]): Promise<void> {
  expect(acknowledged.length).toBeGreaterThan(0);
  const stored = new Set(await titlesStored(label));
  expect(acknowledged.filter((title) => !stored.has(title))).toEqual([]);
}

const restart = async () => {
  server = await startServerProcess({ dataFolder: data.path, port });
};

describe('no acknowledged write is lost', () => {
  test('when the server is killed, and no Postgres is left behind', async () => {
    const postgres = await findPostgres(data.path);
    const { acknowledged, cut } = await startWriting('servidor');
    await server.kill();
    await cut;
    await expect.poll(() => isRunning(postgres), { timeout: 60_000 }).toBe(false);
    await restart();
    await expectNothingLost('servidor', acknowledged);
  });

  test('when Postgres is killed under the server', async () => {
    const { acknowledged, cut } = await startWriting('banco');
    process.kill(await findPostgres(data.path), 'SIGKILL');
    await cut;
    await expect
      .poll(
        async () => {
          if (!isRunning(server.pid)) await restart();
          return (await fetch(`${server.url}/health`)).status;
        },
        { timeout: 30_000 },
      )
      .toBe(200);
    await expectNothingLost('banco', acknowledged);
  });

  test('when both are killed at once', async () => {
    const { acknowledged, cut } = await startWriting('ambos');
    const postgres = await findPostgres(data.path);
    process.kill(postgres, 'SIGKILL');
    await server.kill();
    await cut;
    await restart();
    await expectNothingLost('ambos', acknowledged);
  });

  test('when the server is asked to stop: it ends Postgres too and leaves with 0', async () => {
    const postgres = await findPostgres(data.path);
    const { acknowledged, cut } = await startWriting('parada');
    expect(await server.stop()).toBe(0);
    expect(isRunning(postgres)).toBe(false);
    await cut;
    await restart();
    await expectNothingLost('parada', acknowledged);
  });
});

describe('a second copy', () => {
  test('on the same folder refuses in one clear line and does the first no harm', async () => {
    const second = await runServerToItsEnd({ dataFolder: data.path, port: await findFreePort() });
    expect(second.code).not.toBe(0);
    expect(second.output).toContain(data.path);
    expect(second.output).not.toMatch(/\n\s+at /);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
  });

  test('on a port that is taken refuses as clearly', async () => {
    const other = await createDataFolder();
    try {
      const second = await runServerToItsEnd({ dataFolder: other.path, port });
      expect(second.code).not.toBe(0);
      expect(second.output).toContain(String(port));
      expect(second.output).not.toMatch(/\n\s+at /);
    } finally {
      await other.remove();
    }
  });
});

describe('settings', () => {
  test('that are wrong are all named at once', async () => {
    const other = await createDataFolder();
    try {
      const refused = await runServerToItsEnd({
        dataFolder: other.path,
        port: await findFreePort(),
        environment: { PORT: 'porta', SITE_URL: 'nada', SMTP_URL: 'nada' },
      });
      expect(refused.code).not.toBe(0);
      for (const name of ['PORT', 'SITE_URL', 'SMTP_URL']) expect(refused.output).toContain(name);
    } finally {
      await other.remove();
    }
  });
});
