import { createLauncher, type LauncherOptions } from './create-launcher.ts';
import type { Launcher, LaunchOrder, WorkerProcess } from './worker-process.ts';

/** What the server asks of the process that stays root's, and what it hears back. Workers are told apart by a number. */
export type LauncherRequest =
  | { readonly kind: 'open'; readonly options: LauncherOptions }
  | { readonly kind: 'launch'; readonly id: number; readonly order: LaunchOrder }
  | { readonly kind: 'send'; readonly id: number; readonly message: object }
  | { readonly kind: 'kill' | 'lower'; readonly id: number };

export type LauncherNotice =
  | { readonly kind: 'started'; readonly id: number; readonly pid: number | undefined }
  | { readonly kind: 'message'; readonly id: number; readonly message: unknown }
  | { readonly kind: 'ended'; readonly id: number; readonly signal: NodeJS.Signals | null };

/** As the catalogue checks it: it becomes the name of a folder. */
const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;

const workers = new Map<number, WorkerProcess>();
let launcher: Launcher | undefined;

const tell = (notice: LauncherNotice) => {
  if (process.connected) process.send?.(notice, () => undefined);
};

function launch(id: number, order: LaunchOrder): void {
  if (!launcher || !NAME.test(order.name) || !Number.isSafeInteger(order.ordinal) || order.ordinal < 0)
    return;
  const worker = launcher.launch(order);
  workers.set(id, worker);
  worker.onMessage((message) => tell({ kind: 'message', id, message }));
  worker.onEnd((signal) => {
    workers.delete(id);
    tell({ kind: 'ended', id, signal });
  });
  tell({ kind: 'started', id, pid: worker.pid() });
}

process.on('message', (request: LauncherRequest) => {
  if (request.kind === 'open') launcher ??= createLauncher(request.options);
  else if (request.kind === 'launch') launch(request.id, request.order);
  else if (request.kind === 'send') workers.get(request.id)?.send(request.message);
  else if (request.kind === 'kill') workers.get(request.id)?.kill();
  else workers.get(request.id)?.lowerPriority();
});
// Whoever stops all processes at once stops this one by the server's end: until then it has functions to start.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// The server has ended, cleanly or not.
process.on('disconnect', () => {
  for (const worker of workers.values()) worker.kill();
  void launcher?.close().finally(() => process.exit(0));
  if (!launcher) process.exit(0);
});
