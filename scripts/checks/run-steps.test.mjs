import { mkdtemp, rm } from 'node:fs/promises';
import { constants, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runSteps } from './run-steps.mjs';

const passedSteps = { remember: (_step, run) => run() };
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'run-steps-'));
});
afterEach(() => rm(folder, { recursive: true }));

const step = (name, script, more = {}) => ({ name, command: [process.execPath, '--eval', script], ...more });
/** Ends when another step has called it. */
const waitFor = (name) =>
  `const { existsSync } = require('node:fs'); setInterval(() => existsSync(${JSON.stringify(join(folder, name))}) && process.exit(), 10);`;
const call = (name) => `require('node:fs').writeFileSync(${JSON.stringify(join(folder, name))}, '');`;

async function run(steps) {
  const lines = [];
  const results = await runSteps(steps, {
    width: 3,
    say: (line) => lines.push(line.replace(/ \(.*/, '')),
    passedSteps,
  });
  return { lines, failed: results.filter(({ failed }) => failed > 0).map(({ name }) => name) };
}

test('a step that suffers from company waits for all others but those it may run beside', async () => {
  const { lines, failed } = await run([
    step('browser', call('browser'), { beside: ['screens'] }),
    step('screens', waitFor('browser')),
    step('services', ''),
  ]);
  expect(failed).toEqual([]);
  expect(lines.slice(0, 2)).toEqual(['▸ browser', '▸ screens']);
  expect(lines.indexOf('▸ services')).toBeGreaterThan(lines.indexOf('✓ browser'));

  const later = await run([step('services', ''), step('browser', '', { beside: ['screens'] })]);
  expect(later.lines).toEqual(['▸ services', '✓ services', '▸ browser', '✓ browser']);
});

test('a step that gives way runs behind the others', async () => {
  const least = Math.min(getPriority() + 1, constants.priority.PRIORITY_LOW);
  const endOnceBehind = `setInterval(() => require('node:os').getPriority() >= ${least} && process.exit(), 10);`;
  const { failed } = await run([step('screens', endOnceBehind, { givesWay: true })]);
  expect(failed).toEqual([]);
});

test('what a failed step was to prepare is not run, and named', async () => {
  const { lines, failed } = await run([
    step('build', 'process.exit(1)'),
    step('budget', '', { after: ['build'] }),
  ]);
  expect(failed).toEqual(['build', 'budget']);
  expect(lines).toContain('✗ budget: not run, because “build” failed');
});
