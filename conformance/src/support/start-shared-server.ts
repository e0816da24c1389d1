import { createDataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { startServerProcess } from '@linkoteca/server-process/start-server-process';
import type { TestProject } from 'vitest/node';
import { readKeys } from './read-keys.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the shared server answers, and its keys, as `npm run -s keys` printed them. */
    readonly deployment: Deployment;
  }
}

export type Deployment = {
  readonly url: string;
  readonly anonKey: string;
  readonly serviceRoleKey: string;
  readonly dataFolder: string;
};

/** Vitest's global setup: one server for all files that do it no harm. */
export default async function startSharedServer(project: TestProject): Promise<() => Promise<void>> {
  const data = await createDataFolder();
  const port = await findFreePort();
  const server = await startServerProcess({ dataFolder: data.path, port });
  const keys = await readKeys({ dataFolder: data.path, port });
  project.provide('deployment', { ...keys, url: server.url, dataFolder: data.path });
  return async () => {
    await server.stop();
    await data.remove();
  };
}
