import { keepTemporaryFilesInMemory } from '@linkoteca/server-process/memory-folder';
import { defineConfig } from 'vitest/config';

keepTemporaryFilesInMemory();

/**
 * When a test counts as hanging. Passwords are hashed for real, ten thousand rows are written, compilers run: a second each, and ten
 * on a machine that is busy with other things. No test measures time by it.
 */
const PATIENCE_MS = 60_000;

/** So long `expect.poll` waits for what must come about: less than a test's patience, so that the assertion says what did not. */
const POLL = { timeout: 20_000, interval: 20 };

/**
 * One project a room: each names its own environment, so that a unit test never starts a database by accident.
 *
 * `isolate: false` where files are many and small: one module registry and one document a worker instead of one a file is
 * four times as fast for the web app and twice for server and database. Tests leave nothing behind; order does not matter:
 * `npm test -- --shuffle` tries another one.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'packages',
          include: [
            'packages/*/src/**/*.test.ts',
            'supabase/functions/**/*.test.ts',
            'scripts/**/*.test.mjs',
            'apps/web/*.test.ts',
            'apps/extension/{src,store}/**/*.test.ts',
            'bench/src/**/*.test.ts',
            'mutation/src/**/*.test.ts',
          ],
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
          expect: { poll: POLL },
          // Seven files wait for a Postgres to start, to die or to give up.
          maxWorkers: 3,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'server',
          include: ['apps/server/src/**/*.test.ts'],
          isolate: false,
          globalSetup: ['packages/test-kit/src/provide-test-cluster.ts'],
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
          expect: { poll: POLL },
          // Half of the time a test of a service waits for a socket, a process or a timer: another file runs meanwhile.
          maxWorkers: 2,
          // Vitest asks for it where the number of workers differs.
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'sql',
          include: ['supabase/tests/**/*.test.ts'],
          isolate: false,
          globalSetup: ['packages/test-kit/src/provide-test-cluster.ts'],
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
          expect: { poll: POLL },
        },
      },
      {
        test: {
          name: 'conformance',
          include: ['conformance/src/**/*.test.ts'],
          isolate: false,
          globalSetup: ['conformance/src/support/start-shared-server.ts'],
          // A server with its own Postgres starts inside; on a busy machine that takes its time.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: POLL },
          // Most of the time a test waits for a process to start, to drain or to end.
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: './apps/web/vite.config.ts',
        test: {
          name: 'web',
          environment: 'jsdom',
          include: ['apps/web/src/**/*.test.{ts,tsx}'],
          pool: 'threads',
          isolate: false,
          // One document serves all files of one worker; with several, each file would get a document of its own.
          maxWorkers: 1,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
