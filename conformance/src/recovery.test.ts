import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createDataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { runProjectCommand } from '@linkoteca/server-process/run-project-command';
import { startServerProcess } from '@linkoteca/server-process/start-server-process';
import { expect, onTestFinished, test } from 'vitest';
import { createPerson } from './support/create-person.ts';
import { createShelf } from './support/create-shelf.ts';
import { readKeys } from './support/read-keys.ts';

async function untilBaseBackup(folder: string): Promise<void> {
  while (
    !existsSync(join(folder, 'base')) ||
    !readdirSync(join(folder, 'base')).some((name) => !name.includes('.'))
  )
    await pause(100);
}

test('npm run recover brings the database back to the second before a library was deleted', async () => {
  const [data, archive, port] = await Promise.all([createDataFolder(), createDataFolder(), findFreePort()]);
  onTestFinished(data.remove);
  onTestFinished(archive.remove);
  const environment = { WAL_ARCHIVE_DIR: archive.path };
  const recover = (moment: string) =>
    runProjectCommand('recover', [moment], { ...environment, DATA_DIR: data.path, PORT: String(port) });
  const start = () => startServerProcess({ dataFolder: data.path, port, environment });

  let server = await start();
  onTestFinished(async () => {
    await server.stop();
  });
  const keys = await readKeys({ dataFolder: data.path, port });
  await untilBaseBackup(archive.path);
  const person = await createPerson({ ...keys, url: server.url, dataFolder: data.path }, { plan: 'pro' });
  const shelf = await createShelf(person);
  const insert = (title: string) =>
    person.client
      .from('links')
      .insert({ title, url: 'https://example.com', category_id: shelf.categoryId, user_id: person.id })
      .throwOnError();
  await insert('antes');
  await pause(50);
  const moment = new Date();
  await pause(50);
  await insert('depois');
  await person.client.from('folders').delete().eq('user_id', person.id).throwOnError();

  const refused = await recover(moment.toISOString());
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('já usa a pasta de dados') });
  expect(await recover('ontem')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Uso: npm run recover'),
  });
  await server.kill();

  const recovered = await recover(moment.toISOString());
  expect(recovered.code, recovered.stderr).toBe(0);
  expect(recovered.stdout).toContain('O banco de antes ficou em');

  server = await start();
  const { data: rows } = await person.client.from('links').select('title').throwOnError();
  expect(rows).toEqual([{ title: 'antes' }]);
  await insert('e segue');
  // Five starts and a copy of the database: on a busy machine minutes.
}, 180_000);
