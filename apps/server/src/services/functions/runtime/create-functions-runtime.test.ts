import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FunctionDefinition, holdBody } from '../function-definition.ts';
import { createFunctionsRuntime, type FunctionsRuntime } from './create-functions-runtime.ts';
import { DEFAULT_WORKER_LIMITS, type Launcher } from './worker-process.ts';

const DEFINITION: FunctionDefinition = {
  name: 'stuck',
  ordinal: 1,
  entry: '/stuck.ts',
  imports: {},
  verifyJwt: false,
  secrets: [],
  room: { atOnce: 10, waiting: 10 },
};

/** A process that takes calls and answers no ping, nor a call without `answer`. */
type StuckWorker = {
  calls: number;
  readonly pinged: Promise<void>;
};

let folder: string;
let workers: StuckWorker[];
let runtime: FunctionsRuntime;
let told: PromiseWithResolvers<void>;
let caller: AbortController;
let calls: Promise<unknown>[];
let answer: RequestListener;
const servers: Server[] = [];

const launcher: Launcher = {
  launch({ socketPath }) {
    const pinged = Promise.withResolvers<void>();
    const worker = { calls: 0, pinged: pinged.promise };
    let hear: (message: unknown) => void = () => undefined;
    let ended: (signal: null) => void = () => undefined;
    workers.push(worker);
    mkdirSync(dirname(socketPath), { recursive: true });
    const server = createServer((request, response) => {
      worker.calls += 1;
      answer(request, response);
      // A call that the test before gave up may still arrive at its process.
      if (workers.includes(worker)) told.resolve();
    });
    servers.push(server);
    server.listen(socketPath, () => hear({ kind: 'ready' }));
    return {
      pid: () => undefined,
      send: (message) => {
        if ('kind' in message && message.kind === 'ping') pinged.resolve();
      },
      kill: () => ended(null),
      lowerPriority: () => undefined,
      onMessage: (listener) => {
        hear = listener;
      },
      onEnd: (listener) => {
        ended = listener;
      },
    };
  },
  close: async () => {
    for (const server of servers.splice(0)) server.close();
  },
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  folder = mkdtempSync(join(tmpdir(), 'runtime-'));
  workers = [];
  calls = [];
  answer = () => undefined;
  caller = new AbortController();
  runtime = createFunctionsRuntime({
    environment: () => ({}),
    packagesFolder: folder,
    launcher,
    socketFolder: folder,
    preload: [],
    limits: { ...DEFAULT_WORKER_LIMITS, workersEach: 2 },
    log: () => undefined,
    onEnd: () => undefined,
  });
});
afterEach(async () => {
  caller.abort();
  await Promise.allSettled(calls);
  await runtime.close();
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

/** Resolves when a process has the call. */
async function call() {
  told = Promise.withResolvers();
  const request = { requestId: 'r', method: 'GET', path: '/stuck', headers: [], body: undefined };
  calls.push(runtime.call(DEFINITION, { ...request, signal: caller.signal }));
  await told.promise;
}
/** Until it is clear that a process does not react. */
async function getStuck(worker: StuckWorker | undefined) {
  vi.advanceTimersByTime(250);
  await worker?.pinged;
  vi.advanceTimersByTime(1_000);
}
const counts = () => workers.map((worker) => worker.calls);

test('another process starts when none reacts, up to the limit and not one beyond it', async () => {
  await call();
  await call();
  expect(counts(), 'one that reacts takes all calls').toEqual([2]);
  await getStuck(workers[0]);
  await call();
  expect(counts()).toEqual([2, 1]);
  await getStuck(workers[1]);
  await call();
  expect(counts(), 'at the limit the one with the least to do takes the call').toEqual([2, 2]);
  await call();
  await call();
  expect(counts()).toEqual([3, 3]);
  expect(runtime.countWorkers()).toEqual(new Map([['stuck', 2]]));
});

test('calls that come together while a process starts share it', async () => {
  void call();
  void call();
  await call();
  expect(workers).toHaveLength(1);
});

test('an answer comes whole also when the function has not read the body', async () => {
  const answered = Promise.withResolvers<void>();
  answer = (request, response) => {
    Readable.toWeb(request);
    response.once('finish', answered.resolve).end(new Uint8Array(120_000));
  };
  told = Promise.withResolvers();
  const body = holdBody(Readable.from([new Uint8Array(4_000_000)]));
  const request = { requestId: 'r', method: 'POST', path: '/stuck', headers: [], body };
  const { body: coming } = await runtime.call(DEFINITION, { ...request, signal: caller.signal });
  await answered.promise;
  // So that whatever the process does to the connection then is known here.
  for (let turn = 0; turn < 10; turn += 1) await setImmediate();
  expect(await buffer(coming)).toHaveLength(120_000);
});
