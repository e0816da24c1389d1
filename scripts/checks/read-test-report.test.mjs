import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rootFolder } from '../ensure-installed.mjs';
import { readPlaywrightReport, readVitestReport } from './read-test-report.mjs';

let folder;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linkoteca-reports-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(report) {
  const path = join(folder, 'report.json');
  await writeFile(path, JSON.stringify(report));
  return path;
}

test('a Vitest report names each failed test, and a file that could not be loaded', async () => {
  const path = await write({
    numPassedTests: 2,
    numFailedTests: 1,
    testResults: [
      {
        name: join(rootFolder, 'a/one.test.ts'),
        status: 'failed',
        message: '',
        assertionResults: [
          { status: 'passed', fullName: 'adds', failureMessages: [] },
          {
            status: 'failed',
            fullName: 'subtracts',
            failureMessages: ['\u001B[31mexpected 1\u001B[39m\n  at …'],
          },
        ],
      },
      {
        name: join(rootFolder, 'a/two.test.ts'),
        status: 'failed',
        message: 'no such module',
        assertionResults: [],
      },
      { name: join(rootFolder, 'a/three.test.ts'), status: 'passed', message: '', assertionResults: [] },
    ],
  });
  expect(await readVitestReport(path)).toEqual({
    passed: 2,
    failed: 2,
    failures: ['a/one.test.ts › subtracts › expected 1', 'a/two.test.ts › no such module'],
  });
});

test('a Playwright report names each failed sentence, also one that passed at a second try', async () => {
  const spec = (title, ok, message) => ({
    title,
    ok,
    file: 'src/a.spec.ts',
    line: 7,
    tests: [{ status: ok ? 'expected' : 'unexpected', results: [{ error: message && { message } }] }],
  });
  const flaky = { ...spec('second try', true, 'lost focus'), tests: [] };
  flaky.tests = [{ status: 'flaky', results: [{ error: { message: 'lost focus' } }, {}] }];
  const path = await write({
    stats: { expected: 1, unexpected: 1, flaky: 1 },
    errors: [{ message: 'no browser' }],
    suites: [
      {
        specs: [spec('opens', true)],
        suites: [{ specs: [spec('closes', false, 'still open\nat …'), flaky] }],
      },
    ],
  });
  expect(await readPlaywrightReport(path)).toEqual({
    passed: 1,
    failed: 3,
    failures: [
      'src/a.spec.ts:7 › closes › still open',
      'src/a.spec.ts:7 › second try › lost focus',
      'no browser',
    ],
  });
});
