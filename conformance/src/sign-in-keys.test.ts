import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDataFolder, type DataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { launchServerProcess, startServerProcess } from '@linkoteca/server-process/start-server-process';
import { afterEach, beforeEach, expect, test } from 'vitest';

let data: DataFolder;
let project: string;
beforeEach(async () => {
  data = await createDataFolder();
  project = await mkdtemp(join(tmpdir(), 'linkoteca-keys-'));
  await mkdir(join(project, 'functions'));
});
afterEach(async () => {
  await data.remove();
  await rm(project, { recursive: true });
});

/** A server whose `config.toml` says this. */
async function listOptions(toml: string) {
  await writeFile(join(project, 'config.toml'), toml);
  const environment = { FUNCTIONS_DIR: join(project, 'functions') };
  return { dataFolder: data.path, port: await findFreePort(), environment };
}

test('a key that nobody knows is named in one line, with the one that was meant, and the server starts', async () => {
  const server = await startServerProcess(
    await listOptions('[auth]\nenable_singup = false\n[auth.email]\nnada_disso = 1\n'),
  );
  try {
    const lines = server
      .output()
      .split('\n')
      .filter((line) => line.includes('enable_singup'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'warn',
      msg: expect.stringMatching(/auth\.enable_singup \(auth\.enable_signup\?\), auth\.email\.nada_disso$/),
    });
  } finally {
    await server.stop();
  }
});

test('a switch that is not offered ends the start in one sentence that names it', async () => {
  const launched = launchServerProcess(await listOptions('[auth.web3.solana]\nenabled = true\n'));
  expect(await launched.ended).toBe(1);
  const said = launched
    .output()
    .split('\n')
    .filter((line) => line.includes('auth.web3.solana.enabled'));
  expect(said).toEqual([expect.stringContaining('só pode ser false')]);
});
