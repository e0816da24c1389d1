import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPassedSteps } from './passed-steps.mjs';

const run = promisify(execFile);
const STEP = { name: 'server tests', command: ['true'], ignores: /^docs/ };
const PASSED = async () => ({ failed: 0 });

let rootFolder = '';
const write = (name, text) => writeFile(join(rootFolder, name), text);
const open = () => openPassedSteps({ rootFolder, file: join(rootFolder, '.git', 'cache', 'passed.json') });
/** As the next run sees it. */
const isLeftOut = async (step = STEP) => (await (await open()).among([step])).includes(step);

beforeEach(async () => {
  rootFolder = await mkdtemp(join(tmpdir(), 'passed-steps-'));
  await run('git', ['init', '--quiet'], { cwd: rootFolder });
  await write('code.ts', 'one');
  await write('docs.md', 'one');
});
afterEach(() => rm(rootFolder, { recursive: true }));

test('a step that passed is left out until a file it reads changes, is new or is gone', async () => {
  expect(await isLeftOut()).toBe(false);
  await (await open()).remember(STEP, PASSED);
  expect(await isLeftOut()).toBe(true);
  await write('docs.md', 'two');
  expect(await isLeftOut()).toBe(true);

  await write('code.ts', 'two');
  expect(await isLeftOut()).toBe(false);
  await write('code.ts', 'one');
  await write('new.ts', '');
  expect(await isLeftOut()).toBe(false);
  await rm(join(rootFolder, 'new.ts'));
  expect(await isLeftOut()).toBe(true);
  await rm(join(rootFolder, 'code.ts'));
  expect(await isLeftOut()).toBe(false);
});

test('a failure is not remembered, and takes an earlier pass back', async () => {
  await (await open()).remember(STEP, PASSED);
  await (await open()).remember(STEP, async () => ({ failed: 1 }));
  expect(await isLeftOut()).toBe(false);
});

test('what was changed while the step ran has not passed', async () => {
  const result = await (await open()).remember(STEP, async () => {
    await write('code.ts', 'two');
    return { failed: 0 };
  });
  expect(result).toEqual({ failed: 0 });
  expect(await isLeftOut()).toBe(false);
});

test('a step that does not say what it ignores always runs', async () => {
  const step = { name: 'web build', command: ['true'] };
  await (await open()).remember(step, PASSED);
  expect(await isLeftOut(step)).toBe(false);
});
