import { existsSync } from 'node:fs';
import { keepTemporaryFilesInMemory } from '@linkoteca/server-process/memory-folder';
import { defineConfig } from '@playwright/test';

keepTemporaryFilesInMemory();

/** What `npm test` installs where it may (scripts/checks/ensure-chromium.mjs). */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/**
 * Playwright's own list (its `chromiumSwitches.ts`; the browser heeds only the last list it is given), and two that are ours:
 * the two pages that draw the suggestions under the address bar. Nobody sees them here, and every fresh browser loaded
 * both, which took longer than our own page takes.
 */
const SWITCHED_OFF = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
];

/**
 * A real browser against the real server, each worker with a server of its own. Nothing is tried twice: a test that passes
 * sometimes is a fault.
 */
export default defineConfig({
  testDir: 'src',
  outputDir: '../test-results',
  workers: 2,
  // By the sentence, not by the file: both workers end together.
  fullyParallel: true,
  retries: 0,
  forbidOnly: true,
  // Several times what the longest sentence and the slowest step take: on a machine that does much else a checkout took ten seconds
  // to come. What must be quick says so itself.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: {
    browserName: 'chromium',
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
    // Frames of movement are a fifth of the work, and most waits are for their end: the sentences about moving and organising, and those
    // that ask for it, have them.
    contextOptions: { reducedMotion: 'reduce' },
    permissions: ['clipboard-read', 'clipboard-write'],
    // Its 150 files would be stored again for each test's fresh browser. What it does has tests of its own (offline.spec.ts).
    serviceWorkers: 'block',
    launchOptions: {
      executablePath:
        process.env['CHROMIUM_PATH'] ?? (existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : '/usr/bin/chromium'),
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--disable-background-networking',
        `--disable-features=${SWITCHED_OFF.join(',')}`,
        // Icons of foreign sites are not ours to test, and a test needs no network. Aborting them one by one (page.route)
        // would take the browser's cache away and lead every request through the test.
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
      ],
    },
  },
});
