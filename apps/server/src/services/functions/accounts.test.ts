import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findWorkers } from './test-support/find-workers.ts';
import { startFunctions, type TestFunctions } from './test-support/start-functions.ts';
import { writeProject } from './test-support/write-project.ts';

const ownId = process.getuid?.() ?? -1;
const ask = async ({ url }: TestFunctions, name: string) => (await fetch(`${url}/${name}`)).status;

describe.runIf(process.platform === 'linux')('the process of a function', () => {
  let functions: TestFunctions;
  let folder: string;
  beforeAll(async () => {
    functions = await startFunctions();
    expect(await ask(functions, 'open')).toBe(200);
    expect(await ask(functions, 'environment')).toBe(200);
    folder = mkdtempSync(join(tmpdir(), 'linkoteca-secrets-'));
    writeFileSync(join(folder, 'secrets.json'), 'the secret', { mode: 0o600 });
  });
  afterAll(async () => {
    await functions.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('is never root’s: under root each function has an account of its own, else it runs as the server does', () => {
    const accounts = findWorkers().map(({ userId }) => userId);
    expect(accounts).toHaveLength(2);
    expect(accounts).not.toContain(0);
    if (ownId === 0) expect(new Set(accounts).size).toBe(2);
    else expect(accounts).toEqual([ownId, ownId]);
  });

  test('has no account, under root, that reads the server’s secrets, its environment or another function', () => {
    const [one, other] = findWorkers();
    const read = (path: string) => spawnSync('cat', [path], { uid: one?.userId, gid: one?.userId });
    const paths = [
      join(folder, 'secrets.json'),
      `/proc/${process.pid}/environ`,
      `/proc/${other?.pid}/environ`,
    ];
    if (ownId === 0) for (const path of paths) expect(read(path).status).not.toBe(0);
    else expect(one?.userId).toBe(ownId);
  });

  test('listens where nobody but it and the server can connect', () => {
    const sockets = spawnSync('sh', [
      '-c',
      `grep -o '/.*linkoteca-functions-${process.pid}-.*' /proc/net/unix`,
    ]);
    const paths = String(sockets.stdout).trim().split('\n');
    expect(paths.length).toBeGreaterThanOrEqual(2);
    for (const path of new Set(paths)) {
      const { mode, uid } = statSync(join(path, '..'));
      // The server's group may pass; without root the folder above is closed.
      if (ownId === 0) expect([mode & 0o777, uid > 0]).toEqual([0o710, true]);
      else expect(statSync(join(path, '../..')).mode & 0o077).toBe(0);
    }
  });
});

test('what was compiled of a function is kept where it alone writes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'linkoteca-cache-'));
  chmodSync(folder, 0o755);
  const cacheFolder = join(folder, 'not/there/yet');
  const functions = await startFunctions({ cacheFolder });
  try {
    expect(await ask(functions, 'open')).toBe(200);
    const own = statSync(join(cacheFolder, 'open'));
    expect(readdirSync(join(cacheFolder, 'open')).length).toBeGreaterThan(0);
    if (ownId === 0) expect([own.uid > 0, own.mode & 0o777]).toEqual([true, 0o700]);
    else expect(own.uid).toBe(ownId);
  } finally {
    await functions.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a project in a folder that is closed to others still runs, and not as root', async () => {
  const project = writeProject({
    'config.toml': '[functions.closed]\nverify_jwt = false',
    'functions/closed/index.ts': `Deno.serve(() => new Response('olá'));`,
  });
  const functions = await startFunctions({}, project.path);
  try {
    expect(statSync(project.path).mode & 0o077).toBe(0);
    expect(await ask(functions, 'closed')).toBe(200);
    if (process.platform === 'linux')
      expect(findWorkers().map(({ userId }) => userId === 0)).toEqual([false]);
  } finally {
    await functions.stop();
    project.remove();
  }
});
