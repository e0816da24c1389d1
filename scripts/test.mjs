// `npm test`: everything; `npm run check` (--no-browser): everything but the real browser.
// Node's own modules only up to the installation: this is the first command on a fresh clone.
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from './checks/ensure-chromium.mjs';
import { listSteps } from './checks/list-steps.mjs';
import { endRunningSteps, runSteps } from './checks/run-steps.mjs';
import { ensureInstalled } from './ensure-installed.mjs';

const say = (line) => console.log(line);
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
    failures.push({ name: what, passed: 0, failed: 1, note: '' });
    return null;
  }
}

const results = [];
const installed = await prepare('installation', () => ensureInstalled({ say }));
if (installed !== null) {
  const browserWanted = !process.argv.includes('--no-browser');
  const chromium = browserWanted ? await prepare('browser', () => ensureChromium({ say })) : null;
  const width = Math.min(2, availableParallelism());
  results.push(...(await runSteps(listSteps({ reportFolder, chromium }), { width, say })));
}
await rm(reportFolder, { recursive: true, force: true });

const all = [...failures, ...results];
const sum = (key) => all.reduce((total, result) => total + result[key], 0);
const failed = all.filter((result) => result.failed > 0);
say(`\n${Math.round((performance.now() - startedAt) / 1000)} s`);
if (failed.length > 0) {
  say(`Failed: ${failed.map(({ name, note }) => (note === '' ? name : `${name} (${note})`)).join(', ')}`);
}
say(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;
