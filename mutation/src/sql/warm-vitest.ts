import { isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunningTestCluster, TestCluster } from '@linkoteca/test-kit/start-test-cluster';
import { createVitest, type TestModule, type TestSpecification } from 'vitest/node';

export const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));

export type FileResult = {
  readonly file: string;
  readonly passed: boolean;
  readonly milliseconds: number;
  /** What the first test that failed said; empty where none did. */
  readonly error: string;
};

export type WarmVitest = {
  /** Every test file of the project, as a path from the repository. */
  readonly files: readonly string[];
  /** Runs files one after the other in the order given. @returns what ran. */
  run(files: readonly string[]): Promise<readonly FileResult[]>;
  close(): Promise<void>;
};

export type WarmVitestOptions = {
  /** Where tests clone their databases from; the caller starts and stops it. */
  readonly cluster: TestCluster;
  /** How long a test may take; missing means what the project says. */
  readonly patienceMs?: number;
  /** How many files run at the same time. */
  readonly workers?: number;
  readonly setupFiles?: readonly string[];
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
  let order: readonly string[] = [];
  const place = ({ moduleId }: TestSpecification) => order.indexOf(relative(REPOSITORY, moduleId));
  class GivenOrder {
    async shard(specifications: TestSpecification[]) {
      return specifications;
    }
    async sort(specifications: TestSpecification[]) {
      return specifications.toSorted((a, b) => place(a) - place(b));
    }
  }
  const vitest = await createVitest(
    'test',
    {
      root: REPOSITORY,
      config: join(REPOSITORY, 'vitest.config.ts'),
      project: ['sql'],
      watch: false,
      maxWorkers: options.workers ?? 1,
      fileParallelism: (options.workers ?? 1) > 1,
      reporters: [{}],
      sequence: { sequencer: GivenOrder },
    },
    {},
  );
  for (const project of vitest.projects)
{
    project.config.setupFiles.push(...(options.setupFiles ?? []).map((file) => join(REPOSITORY, file)));
    // What is slow is no failure here.
    if (options.patienceMs !== undefined) project.config.testTimeout = options.patienceMs;
  }
  const specifications = await vitest.globTestSpecifications();
  const byFile = new Map(specifications.map((one) => [relative(REPOSITORY, one.moduleId), one]));

  const run = async (files: readonly string[]) => {
    order = files;
    const wanted = files.flatMap((file) => byFile.get(file) ?? []);
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(wanted, false);
    const results = testModules.filter((module) => hasRun(module)).map(describeModule);
    if (unhandledErrors.length > 0)
      results.push({ file: 'unhandled', passed: false, milliseconds: 0, error: String(unhandledErrors[0]) });
    return results.toSorted((a, b) => files.indexOf(a.file) - files.indexOf(b.file));
  };
  return { files: [...byFile.keys()].toSorted(), run, close: () => vitest.close() };
}

function hasRun(module: TestModule): boolean {
  return module.state() === 'passed' || module.state() === 'failed';
}

function describeModule(module: TestModule): FileResult {
  const { moduleId } = module;
  const { duration, collectDuration, prepareDuration, setupDuration } = module.diagnostic();
  return {
    file: isAbsolute(moduleId) ? relative(REPOSITORY, moduleId) : moduleId,
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
