import type { TestProject } from 'vitest/node';
import { type Deployment, startDeployment } from './start-deployment.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server that all files share that do it no harm. */
    readonly deployment: Deployment;
  }
}

/** Vitest's global setup: one server for the whole run. */
export default async function startSharedServer(project: TestProject): Promise<() => Promise<void>> {
  const { deployment, remove } = await startDeployment();
  project.provide('deployment', deployment);
  return remove;
}
