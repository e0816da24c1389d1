import { join } from 'node:path';
import type { FunctionAnswer, FunctionCall, FunctionDefinition } from '../function-definition.ts';
import { FunctionsError } from '../functions-error.ts';
import type { WorkerLogMessage } from '../worker/worker-messages.ts';
import { callWorker } from './call-worker.ts';
import { type FunctionWorker, startWorker, type WorkerEnd } from './start-worker.ts';
import type { Launcher, WorkerLimits } from './worker-process.ts';

export type FunctionsRuntimeDeps = {
  /** All that a function sees of the environment; asked for at each start of a worker. */
  readonly environment: (definition: FunctionDefinition) => Readonly<Record<string, string>>;
  /** The folder in whose `node_modules` packages are looked up. */
  readonly packagesFolder: string;
  readonly launcher: Launcher;
  /** Where the sockets of workers lie, a folder a function. */
  readonly socketFolder: string;
  /** Modules of the server that are loaded before each function. */
  readonly preload: readonly string[];
  readonly limits: WorkerLimits;
  readonly log: (name: string, message: WorkerLogMessage) => void;
  readonly onEnd: (name: string, end: WorkerEnd) => void;
};

export type FunctionsRuntime = {
  /** @throws FunctionsError */
  call(definition: FunctionDefinition, call: FunctionCall): Promise<FunctionAnswer>;
  /** How many processes run, by function. */
  countWorkers(): ReadonlyMap<string, number>;
  /** Workers finish their calls; later calls start new ones. */
  replaceWorkers(): void;
  /** Calls under way are finished. */
  close(): Promise<void>;
};

/** A function that cannot be loaded is not tried again for this long: each try costs a process. */
const BOOT_PAUSE_MS = 1_000;
/** `postgresql://authenticator@%2Fdata%2Fpostgres%2Fsocket:5432/postgres` */
const HOST_IS_FOLDER = /@%2F/i;

/** Runs functions in processes of their own, started by the first call and ended when nobody calls. */
export function createFunctionsRuntime(deps: FunctionsRuntimeDeps): FunctionsRuntime {
  const pools = new Map<string, Set<FunctionWorker>>();
  const failedAt = new Map<string, number>();
  let started = 0;
  let isClosed = false;

  function start(definition: FunctionDefinition, pool: Set<FunctionWorker>): FunctionWorker {
    const { name, ordinal, entry, imports } = definition;
    const { launcher, packagesFolder, preload, limits, log, onEnd } = deps;
    started += 1;
    const socketPath = join(deps.socketFolder, `${ordinal}`, `${started}`);
    const environment = deps.environment(definition);
    const usesDatabaseSocket = HOST_IS_FOLDER.test(environment['SUPABASE_DB_URL'] ?? '');
    const worker = startWorker({
      start: {
        kind: 'start',
        name,
        entry,
        imports,
        socketPath,
        packagesFolder,
        preload,
        environment,
      },
      process: launcher.launch({ name, ordinal, socketPath, usesDatabaseSocket }),
      limits,
      log: (message) => log(name, message),
    });
    pool.add(worker);
    void worker.ended.then((end) => {
      pool.delete(worker);
      onEnd(name, end);
    });
    worker.ready.then(
      () => failedAt.delete(name),
      () => failedAt.set(name, performance.now()),
    );
    return worker;
  }

  /** The one with the least to do; another one where none reacts. */
  function choose(definition: FunctionDefinition): FunctionWorker {
    const pool = pools.get(definition.name) ?? new Set();
    pools.set(definition.name, pool);
    const open = [...pool]
      .filter((worker) => worker.isOpen())
      .sort((one, other) => one.calls() - other.calls());
    const found = open.find((worker) => worker.reacts());
    if (found) return found;
    return open.length < deps.limits.workersEach
      ? start(definition, pool)
      : (open[0] ?? start(definition, pool));
  }

  return {
    async call(definition, call) {
      if (isClosed) throw new FunctionsError('busy', { retryAfter: 1 });
      if (performance.now() - (failedAt.get(definition.name) ?? -BOOT_PAUSE_MS) < BOOT_PAUSE_MS)
        throw new FunctionsError('boot');
      const worker = choose(definition);
      const reserved = worker.begin();
      try {
        await worker.ready;
        return await callWorker(worker, call, deps.limits);
      } catch (cause) {
        throw cause instanceof FunctionsError ? cause : new FunctionsError('boot', { cause });
      } finally {
        reserved();
      }
    },
    countWorkers: () => new Map([...pools].map(([name, pool]) => [name, pool.size])),
    replaceWorkers() {
      failedAt.clear();
      for (const pool of pools.values()) for (const worker of pool) worker.retire();
    },
    async close() {
      isClosed = true;
      const workers = [...pools.values()].flatMap((pool) => [...pool]);
      for (const worker of workers) worker.retire();
      const late = setTimeout(() => {
        for (const worker of workers) worker.kill('retired');
      }, deps.limits.closeMs);
      await Promise.all(workers.map(({ ended }) => ended));
      clearTimeout(late);
      await deps.launcher.close();
    },
  };
}
