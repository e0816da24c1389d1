import type { TestProject } from 'vitest/node';
import { type RunningTestCluster, startTestCluster, type TestCluster } from './start-test-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    testCluster: TestCluster;
  }
}

type Shared = { users: number; cluster: Promise<RunningTestCluster> };

/** Vitest loads this module once a project, so what the projects of a run share hangs on the process. */
const holder = globalThis as typeof globalThis & { [key: symbol]: Shared | undefined };
const KEY = Symbol.for('linkoteca.testCluster');

/** Vitest's global setup: one cluster a run, started by the first project that asks and stopped by the last. */
export default async function provideTestCluster(project: TestProject): Promise<() => Promise<void>> {
  const shared = holder[KEY] ?? { users: 0, cluster: startTestCluster() };
  holder[KEY] = shared;
  shared.users += 1;
  const { stop, ...cluster } = await shared.cluster;
  project.provide('testCluster', cluster);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    holder[KEY] = undefined;
    await stop();
  };
}
