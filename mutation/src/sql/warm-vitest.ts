import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunningTestCluster, TestCluster } from '@linkoteca/test-kit/start-test-cluster';
import { createVitest, type TestModule, type TestSpecification } from 'vitest/node';

export const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));

/** One test file, in one lane: a lane runs a file once a run, and the lanes are side by side. */
export type Lane = { readonly lane: number; readonly file: string };

export type FileResult = Lane & {
  readonly passed: boolean;
  readonly milliseconds: number;
  /** What the first test that failed said; empty where none did. */
  readonly error: string;
};

export type WarmVitest = {
  run(files: readonly Lane[]): Promise<readonly FileResult[]>;
  close(): Promise<void>;
};

export type WarmVitestOptions = {
  /** Where tests clone their databases from; the caller starts and stops it. */
  readonly cluster: TestCluster;
  readonly lanes: number;
  /** How many files run at the same time. */
  readonly workers: number;
  /** How long a test may take. What is slow is no failure here. */
  readonly patienceMs: number;
  readonly setupFile: URL;
};

/** Where `provide-test-cluster.ts` looks for a cluster that is already there before it starts one. */
const CLUSTER_KEY = Symbol.for('linkoteca.testCluster');

/**
 * A vitest that stays: its modules are transformed once, and its tests use a cluster that outlives a run, so that the template they
 * clone may change between two runs. One a process.
 */
export async function openWarmVitest(options: WarmVitestOptions): Promise<WarmVitest> {
  const running: RunningTestCluster = { ...options.cluster, stop: async () => undefined };
  Object.assign(globalThis, { [CLUSTER_KEY]: { users: 1, cluster: Promise.resolve(running) } });
  const vitest = await createVitest(
    'test',
    { root: REPOSITORY, config: false, watch: false, maxWorkers: options.workers, reporters: [{}] },
    { test: { projects: Array.from({ length: options.lanes }, (_, lane) => describeLane(lane, options)) } },
  );
  const specifications = await vitest.globTestSpecifications();
  const run = async (files: readonly Lane[]) => {
    const wanted = specifications.filter((one) => files.some(({ lane, file }) => isOf(one, lane, file)));
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(wanted, false);
    const results = testModules.filter((module) => hasRun(module)).map(describeModule);
    const [unhandled] = unhandledErrors;
    if (unhandled !== undefined && results.every(({ passed }) => passed))
      throw new Error('an error outside of the tests', { cause: unhandled });
    return results;
  };
  return { run, close: () => vitest.close() };
}

/** The project `sql` of vitest.config.ts once more. */
function describeLane(lane: number, { patienceMs, setupFile }: WarmVitestOptions) {
  return {
    test: {
      name: `lane-${lane}`,
      root: REPOSITORY,
      include: ['supabase/tests/**/*.test.ts'],
      isolate: false,
      env: { LINKOTECA_LANE: String(lane) },
      globalSetup: ['packages/test-kit/src/provide-test-cluster.ts'],
      setupFiles: [fileURLToPath(setupFile)],
      testTimeout: patienceMs,
      hookTimeout: patienceMs,
    },
  };
}

const isOf = ({ project, moduleId }: TestSpecification, lane: number, file: string) =>
  project.name === `lane-${lane}` && relative(REPOSITORY, moduleId) === file;

function hasRun(module: TestModule): boolean {
  return module.state() === 'passed' || module.state() === 'failed';
}

function describeModule(module: TestModule): FileResult {
  const { moduleId } = module;
  const { duration, collectDuration, prepareDuration, setupDuration } = module.diagnostic();
  return {
    lane: Number(module.project.name.replace('lane-', '')),
    file: relative(REPOSITORY, moduleId),
    passed: module.ok(),
    error: firstError(module),
    milliseconds: Math.round(duration + collectDuration + prepareDuration + setupDuration),
  };
}

function firstError(module: TestModule): string {
  for (const test of module.children.allTests('failed')) {
    const [error] = test.result().errors ?? [];
    return `${test.name}: ${error?.message.split('\n')[0] ?? ''}`;
  }
  const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors());
  return [...module.errors(), ...suites][0]?.message ?? '';
}
