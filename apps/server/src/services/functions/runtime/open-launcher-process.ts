import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LauncherOptions } from './create-launcher.ts';
import type { LauncherNotice, LauncherRequest } from './launcher-process.ts';
import type { Launcher } from './worker-process.ts';

type Listener = {
  pid: number | undefined;
  message: (message: unknown) => void;
  ended: (signal: NodeJS.Signals | null) => void;
};

const ENTRY = fileURLToPath(new URL('launcher-process.ts', import.meta.url));

/**
 * Functions run as accounts that only root can change into, so a small process keeps root's rights for that alone while the
 * server gives them up. It starts nothing but `worker/run-function.ts`, with the folders that it was told at the beginning.
 * @param onLost told when it has ended unasked: a server that is root's no longer cannot start another.
 */
export function openLauncherProcess(options: LauncherOptions, onLost: () => void): Launcher {
  // Of its own session: an interrupt in the terminal is for the server, which ends its calls first.
  const child = fork(ENTRY, {
    execArgv: [],
    env: {},
    cwd: '/',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    detached: true,
  });
  const listeners = new Map<number, Listener>();
  let launched = 0;
  let isClosing = false;

  const ask = (request: LauncherRequest) => {
    if (child.connected) child.send(request, () => undefined);
  };
  const end = (id: number, signal: NodeJS.Signals | null) => {
    const listener = listeners.get(id);
    listeners.delete(id);
    listener?.ended(signal);
  };
  child.on('message', (notice: LauncherNotice) => {
    const listener = listeners.get(notice.id);
    if (notice.kind === 'ended') end(notice.id, notice.signal);
    else if (notice.kind === 'message') listener?.message(notice.message);
    else if (listener) listener.pid = notice.pid;
  });
  const lose = () => {
    for (const id of [...listeners.keys()]) end(id, null);
    if (!isClosing) onLost();
  };
  child.once('exit', lose).on('error', lose);
  // Like a connection that waits, it is no reason to go on running.
  child.unref();
  child.channel?.unref();
  ask({ kind: 'open', options });

  return {
    launch(order) {
      launched += 1;
      const id = launched;
      const listener: Listener = { pid: undefined, message: () => undefined, ended: () => undefined };
      listeners.set(id, listener);
      ask({ kind: 'launch', id, order });
      if (!child.connected) setImmediate(() => end(id, null));
      return {
        pid: () => listener.pid,
        send: (message) => ask({ kind: 'send', id, message }),
        kill: () => ask({ kind: 'kill', id }),
        lowerPriority: () => ask({ kind: 'lower', id }),
        onMessage: (hear) => {
          listener.message = hear;
        },
        onEnd: (ended) => {
          listener.ended = ended;
        },
      };
    },
    async close() {
      isClosing = true;
      if (!child.connected) return;
      child.ref();
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
