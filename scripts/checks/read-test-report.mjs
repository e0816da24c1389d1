import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { rootFolder } from '../ensure-installed.mjs';

/**
 * The numbers of one run, and each failure in one line: its file, its name and the first line of what was said.
 * @typedef {{ passed: number, failed: number, failures: string[] }} TestReport
 */

/**
 * Reads a Vitest JSON report. A test file that could not even be loaded counts as one failure.
 * @param {string} path
 * @returns {Promise<TestReport>}
 */
export async function readVitestReport(path) {
  const report = JSON.parse(await readFile(path, 'utf8'));
  const failures = report.testResults.flatMap((file) => {
    const place = relative(rootFolder, file.name);
    const failedTests = file.assertionResults.filter((test) => test.status === 'failed');
    if (failedTests.length === 0 && file.status === 'failed')
      return [describeFailure(place, '', file.message)];
    return failedTests.map((test) => describeFailure(place, test.fullName, test.failureMessages[0]));
  });
  return { passed: report.numPassedTests, failed: failures.length, failures };
}

/**
 * Reads a Playwright JSON report. A test that passed only at a second try counts as failed.
 * @param {string} path
 * @returns {Promise<TestReport>}
 */
export async function readPlaywrightReport(path) {
  const { stats, errors, suites } = JSON.parse(await readFile(path, 'utf8'));
  const specs = suites
    .flatMap(listSpecs)
    .filter(({ tests }) => tests.some(({ status }) => status === 'unexpected' || status === 'flaky'));
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    failures: [
      ...specs.map((spec) =>
        describeFailure(`${spec.file}:${spec.line}`, spec.title, spec.tests[0]?.results[0]?.error?.message),
      ),
      ...errors.map((error) => describeFailure('', '', error.message)),
    ],
  };
}

function listSpecs(suite) {
  return [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(listSpecs)];
}

function describeFailure(place, name, message = '') {
  return [place, name, stripVTControlCharacters(message).split('\n', 1)[0]]
    .filter((part) => part !== '')
    .join(' › ');
}
