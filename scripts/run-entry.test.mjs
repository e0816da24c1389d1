import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rootFolder } from './ensure-installed.mjs';
import { runEntry } from './run-entry.mjs';

let room = '';
let said;
beforeEach(async () => {
  room = await mkdtemp(join(tmpdir(), 'run-entry-'));
  said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(async () => {
  said.mockRestore();
  await rm(room, { recursive: true });
});

/** An entry that notes each of its starts and then does what the code says, told how many starts there were. */
async function makeEntry(code) {
  const file = join(room, 'entry.mjs');
  const log = join(room, 'starts');
  await writeFile(
    file,
    `import { appendFileSync, readFileSync } from 'node:fs';
    appendFileSync(${JSON.stringify(log)}, 'x');
    const starts = readFileSync(${JSON.stringify(log)}, 'utf8').length;
    const ready = () => new Promise((resolve) => process.send('ready', resolve));
    ${code}`,
  );
  return { entry: relative(rootFolder, file), starts: async () => (await readFile(log, 'utf8')).length };
}

test('a server that ends suddenly is started again, each time after the next pause, and says so', async () => {
  const { entry, starts } = await makeEntry(
    'if (starts !== 2) await ready(); if (starts < 4) process.exit(starts); process.exit(0);',
  );
  // The second start fails before it serves: what had served once is not given up for that.
  expect(await runEntry(entry, [], { keepAlive: true, pauses: [1, 1_500] })).toBe(0);
  expect(await starts()).toBe(4);
  expect(said.mock.calls.flat()).toEqual([
    'O servidor terminou de repente (código 1); começa de novo em 1 s.',
    'O servidor terminou de repente (código 2); começa de novo em 2 s.',
    'O servidor terminou de repente (código 3); começa de novo em 2 s.',
  ]);
});

test('a killed server is started again', async () => {
  const { entry, starts } = await makeEntry(
    `await ready(); if (starts === 1) process.kill(process.pid, 'SIGKILL'); process.exit(0);`,
  );
  expect(await runEntry(entry, [], { keepAlive: true, pauses: [1] })).toBe(0);
  expect(await starts()).toBe(2);
  expect(said.mock.calls.flat()).toEqual([expect.stringContaining('sinal SIGKILL')]);
});

test('a server that could not start, and a command, end with their own code', async () => {
  const failing = await makeEntry('process.exit(3);');
  expect(await runEntry(failing.entry, [], { keepAlive: true, pauses: [1] })).toBe(3);
  expect(await failing.starts()).toBe(1);
  const command = await makeEntry('await ready(); process.exit(4);');
  expect(await runEntry(command.entry, [])).toBe(4);
  expect(await command.starts()).toBe(2);
});

function startLauncher(entry, options) {
  const script = `import { runEntry } from ${JSON.stringify(join(rootFolder, 'scripts/run-entry.mjs'))};
    process.exitCode = await runEntry(${JSON.stringify(entry)}, [], { keepAlive: true, pauses: [60_000] });`;
  return spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  });
}

test('whoever stops it while it waits for the next start is not kept waiting', async () => {
  const { entry, starts } = await makeEntry('await ready(); process.exit(1);');
  const launcher = startLauncher(entry);
  await once(launcher.stderr, 'data');
  launcher.kill('SIGTERM');
  expect(await once(launcher, 'close')).toEqual([1, null]);
  expect(await starts()).toBe(1);
});

test('one Ctrl+C, which the terminal sends to the whole group and npm once more, reaches the server once', async () => {
  const { entry } = await makeEntry(
    `process.on('SIGINT', () => console.log('SIGINT'));
    process.on('SIGTERM', () => process.exit(0));
    setInterval(() => undefined, 1_000);
    await ready();
    console.log('ready');`,
  );
  const launcher = startLauncher(entry, { detached: true });
  let heard = '';
  launcher.stdout.on('data', (piece) => {
    heard += piece;
  });
  await vi.waitFor(() => expect(heard).toContain('ready'), 10_000);
  process.kill(-launcher.pid, 'SIGINT');
  launcher.kill('SIGINT');
  await vi.waitFor(() => expect(heard).toContain('SIGINT'), 10_000);
  launcher.kill('SIGINT');
  launcher.kill('SIGTERM');
  expect(await once(launcher, 'close')).toEqual([0, null]);
  expect(heard.match(/SIGINT/g)).toHaveLength(1);
});
