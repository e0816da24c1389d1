import { AsyncLocalStorage } from 'node:async_hooks';
import { flushCompileCache } from 'node:module';
import { pathToFileURL } from 'node:url';
import { captureConsole } from './capture-console.ts';
import { describeThrown } from './describe-thrown.ts';
import { provideDeno, type Served } from './provide-deno.ts';
import { provideEdgeRuntime } from './provide-edge-runtime.ts';
import { provideFetch } from './provide-fetch.ts';
import { resolveImports } from './resolve-imports.ts';
import { restrictProcess } from './restrict-process.ts';
import { serveRequests } from './serve-requests.ts';
import type { Failure, ServerMessage, StartMessage, WorkerMessage } from './worker-messages.ts';

/** So the server tells a crash from a function that ended the process by itself. */
const CRASHED = 70;

const calls = new AsyncLocalStorage<string>();
const { send: toServer } = process;
const { exit } = process;

function send(message: WorkerMessage, sent?: () => void): void {
  // A server that has gone has no use for it, and this process ends with it.
  if (toServer && process.connected) Reflect.apply(toServer, process, [message, undefined, undefined, sent]);
}

process.once('disconnect', () => exit(0));
process.once('message', (message: ServerMessage) => {
  if (message.kind !== 'start') return;
  process.on('message', ({ kind }: ServerMessage) => {
    if (kind === 'ping') send({ kind: 'pong' });
  });
  start(message).catch((error: unknown) => {
    send({ kind: 'boot_failed', failure: describeThrown(error) }, () => exit(CRASHED));
  });
});

async function start(options: StartMessage): Promise<void> {
  restrictProcess(options.environment);
  captureConsole({ send, currentRequestId: () => calls.getStore() });
  endOnCrash();
  resolveImports(options);
  const report = (message: string, failure: Failure, requestId?: string) =>
    send({ kind: 'log', level: 'error', message, failure, ...(requestId ? { requestId } : {}) });
  provideEdgeRuntime(
    (open) => send({ kind: 'background', open }),
    (failure) => report('background work failed', failure, calls.getStore()),
  );
  provideFetch();
  const findServed = provideDeno();
  for (const path of options.preload) await import(pathToFileURL(path).href);
  const module: Record<string, unknown> = await import(pathToFileURL(options.entry).href);
  const served = findServed() ?? readDefault(module['default']);
  if (!served) throw new Error('the function neither calls Deno.serve nor exports a default with fetch');
  await serveRequests({
    served,
    calls,
    socketPath: options.socketPath,
    report,
  });
  send({ kind: 'ready' });
  // Workers are ended without a word: what was compiled would be lost.
  flushCompileCache();
}

/** `export default { fetch(request) {} }`, the other entry shape of the platform. */
function readDefault(exported: unknown): Served | undefined {
  if (typeof exported !== 'object' || exported === null || !('fetch' in exported)) return undefined;
  const { fetch } = exported;
  if (typeof fetch !== 'function') return undefined;
  return { handle: (request, info) => fetch.call(exported, request, info), onError: undefined };
}

/** What nobody caught may have left anything behind: the worker is replaced. */
function endOnCrash(): void {
  process.on('uncaughtException', (error) => {
    const requestId = calls.getStore();
    send({ kind: 'crashed', failure: describeThrown(error), ...(requestId ? { requestId } : {}) }, () =>
      exit(CRASHED),
    );
  });
}
