import { join } from 'node:path';
import { readPlaywrightReport, readVitestReport } from './read-test-report.mjs';

/** As `npm start` builds it, compressed copies included. */
const BUILD_WEB = `const { buildWeb } = await import('./scripts/build-web.mjs'); await buildWeb({ say: console.log });`;

/** A check of our own: a script in this folder that ends with 0 when all is well. */
const ownCheck = (name, script) => ({ name, command: ['node', `scripts/checks/${script}`], minutes: 3 });

/**
 * Vitest over one of the projects of vitest.config.ts, its numbers read from its own report. Files run in another order each time, and
 * so do the tests in them, unless `inOrder`: a file then tells what becomes of one server, one test after the other.
 */
function vitestStep(name, project, { reportFolder, seed }, { inOrder = false, ...more } = {}) {
  const report = join(reportFolder, `${name.replaceAll(/\W+/g, '-')}.json`);
  return {
    name,
    command: [
      'vitest',
      'run',
      '--project',
      project,
      '--sequence.shuffle.files',
      ...(inOrder ? [] : ['--sequence.shuffle.tests']),
      `--sequence.seed=${seed}`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    // More than twice what the longest took on processors that did as much else (710 s).
    minutes: 30,
    count: () => readVitestReport(report),
    ...more,
  };
}

function browserStep({ reportFolder, chromium, wholeChromium, seed }) {
  const report = join(reportFolder, 'browser.json');
  return {
    name: 'browser tests',
    command: [
      'playwright',
      'test',
      '--config',
      'e2e/playwright.config.ts',
      `--shuffle=${seed}`,
      '--reporter=list,json',
    ],
    environment: {
      CHROMIUM_PATH: chromium,
      WHOLE_CHROMIUM_PATH: wholeChromium,
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    },
    after: ['web build', 'extension build'],
    // Screens wait for the app's own delays most of the time.
    beside: ['web tests'],
    minutes: 30,
    ignores: /^(conformance|bench|docs|supabase\/tests)\/|\.test\.tsx?$/,
    count: () => readPlaywrightReport(report),
  };
}

/**
 * Everything that `npm test` runs, in the order in which it starts.
 * @param {{ reportFolder: string, chromium: string | null, wholeChromium: string | null, seed: number }} options a browser that is null
 *   leaves the browser tests out; `seed` orders files and the tests in them: the same seed, the same order.
 * @returns {import('./run-steps.mjs').Step[]}
 */
export function listSteps(options) {
  const steps = [
    { name: 'format and lint', command: ['biome', 'ci', '--max-diagnostics=200', '--colors=off'] },
    { name: 'types: server, packages, tests', command: ['tsc', '--project', 'tsconfig.json'] },
    { name: 'types: web app', command: ['tsc', '--project', 'apps/web'] },
    { name: 'types: browser extension', command: ['tsc', '--project', 'apps/extension'] },
    ownCheck('import rules', 'check-import-rules.mjs'),
    ownCheck('import rules bite (canary)', 'check-import-canary.mjs'),
    { name: 'dead code', command: ['knip', '--no-progress'] },
    ownCheck('spelling of what people read', 'check-spelling.mjs'),
    ownCheck('lock file names no registry', 'check-lock-file.mjs'),
    ownCheck('no secret and no machine path committed', 'check-committed-texts.mjs'),
    ownCheck('every dependency has its reason', 'check-dependency-reasons.mjs'),
    ownCheck('documents point at what exists', 'check-documents.mjs'),
    ownCheck('coverage counts what it lists', 'check-coverage-counts.mjs'),
    { name: 'interface font is as it is cut', command: ['node', 'apps/web/trim-font.mjs', '--check'] },
    { name: 'web build', command: ['node', '--input-type=module', '--eval', BUILD_WEB] },
    { name: 'extension build', command: ['node', 'scripts/build-extension.mjs'] },
    { ...ownCheck("Firefox's linter", 'check-firefox-package.mjs'), after: ['extension build'] },
    {
      name: 'bundle budget',
      command: ['node', 'apps/web/check-bundle-budget.mjs'],
      after: ['web build'],
    },
    // The longest first, so that they end together; the screens fill what the others leave, the browser's time included.
    vitestStep('conformance tests', 'conformance', options, {
      inOrder: true,
      after: ['web build'],
      ignores: /^(apps\/extension|e2e|docs\/decisions|supabase\/tests)\//,
    }),
    vitestStep('server tests', 'server', options, {
      ignores: /^(apps\/web|apps\/extension|e2e|docs\/decisions)\//,
    }),
    vitestStep('database tests', 'sql', options, {
      ignores: /^(apps\/web|apps\/extension|conformance|e2e|bench|docs)\//,
    }),
    vitestStep('package tests', 'packages', options, { ignores: /^(conformance|e2e|docs\/decisions)\// }),
    vitestStep('web tests', 'web', options, {
      givesWay: true,
      ignores: /^(apps\/server|apps\/extension|conformance|e2e|bench|docs)\//,
    }),
  ];
  return options.chromium === null || options.wholeChromium === null
    ? steps
    : [...steps, browserStep(options)];
}
