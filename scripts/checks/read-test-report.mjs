import { readFile } from 'node:fs/promises';

/**
 * The numbers of a Vitest JSON report. A test file that could not even be loaded counts as one failure.
 * @param {string} path
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function readVitestReport(path) {
  const report = JSON.parse(await readFile(path, 'utf8'));
  const unloaded = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded };
}

/**
 * The numbers of a Playwright JSON report. A test that passed only at a second try counts as failed.
 * @param {string} path
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function readPlaywrightReport(path) {
  const { stats, errors } = JSON.parse(await readFile(path, 'utf8'));
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length };
}
