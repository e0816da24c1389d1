// `npm test`: everything; `npm run check` (--no-browser): everything but the real browser.
// Files and tests run in another order each time; `--seed N` brings back that of an earlier run. `--changed` leaves out what has
// passed on the same files (refused where CI is set).
// Node's own modules only up to the installation: this is the first command on a fresh clone.
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureChromium, ensureWholeChromium } from './checks/ensure-chromium.mjs';
import { listSteps } from './checks/list-steps.mjs';
import { openPassedSteps } from './checks/passed-steps.mjs';
import { endRunningSteps, runSteps } from './checks/run-steps.mjs';
import { ensureInstalled, rootFolder } from './ensure-installed.mjs';

const say = (line) => console.log(line);
const { values: options } = parseArgs({
  options: {
    'no-browser': { type: 'boolean', default: false },
    changed: { type: 'boolean', default: false },
    seed: { type: 'string' },
  },
});
if (options.changed && process.env.CI !== undefined) {
  say('--changed trusts what passed before on this machine: CI runs everything.');
  process.exit(1);
}
const startedAt = performance.now();
const reportFolder = await mkdtemp(join(tmpdir(), 'linkoteca-test-'));

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    endRunningSteps();
    process.exit(1);
  });
}

/** What `prepare` could not do is a failure like any other, named and counted. */
const failures = [];

async function prepare(what, work) {
  try {
    return await work();
  } catch (error) {
    say(`✗ ${what}: ${error.message}`);
    failures.push({ name: what, passed: 0, failed: 1, failures: [], note: '' });
    return null;
  }
}

const results = [];
const installed = await prepare('installation', () => ensureInstalled({ say }));
if (installed !== null) {
  const findBrowser = (find) => (options['no-browser'] ? null : prepare('browser', () => find({ say })));
  const chromium = await findBrowser(ensureChromium);
  const wholeChromium = await findBrowser(ensureWholeChromium);
  // One more than two processors: screens wait for the app's own delays half of their time.
  const width = Math.min(3, availableParallelism() + 1);
  const passedSteps = await openPassedSteps({
    rootFolder,
    file: join(rootFolder, 'node_modules', '.cache', 'linkoteca', 'passed-steps.json'),
  });
  const seed = options.seed === undefined ? randomInt(1_000_000) : Number(options.seed);
  say(`Order of tests: --seed ${seed}`);
  const steps = listSteps({ reportFolder, chromium, wholeChromium, seed });
  const unchanged = options.changed ? await passedSteps.among(steps) : [];
  for (const { name } of unchanged) say(`· ${name}: passed on these files before`);
  results.push(
    ...(await runSteps(
      steps.filter((step) => !unchanged.includes(step)),
      { width, say, passedSteps },
    )),
  );
}
await rm(reportFolder, { recursive: true, force: true });

const all = [...failures, ...results];
const sum = (key) => all.reduce((total, result) => total + result[key], 0);
const failed = all.filter((result) => result.failed > 0);
say(`\n${Math.round((performance.now() - startedAt) / 1000)} s`);
if (failed.length > 0) {
  // Here as well: where only the end of a long output is kept, it still says what failed.
  for (const line of failed.flatMap(({ failures: lines }) => lines)) say(`  ${line}`);
  say(`Failed: ${failed.map(({ name, note }) => (note === '' ? name : `${name} (${note})`)).join(', ')}`);
}
say(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;
