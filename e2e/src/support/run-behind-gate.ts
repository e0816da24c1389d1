import { connect, createServer, type Socket } from 'node:net';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { type RunningServer, runServer } from './run-server.ts';

/** A server that is reached through a gate alone. */
export type GatedServer = {
  readonly server: RunningServer;
  /** Where people reach it. */
  readonly url: string;
  open(): void;
  /** Lets the next request that names `path` through, shuts before its answer comes back, and stays shut. */
  shutBeforeAnswer(path: string): void;
  remove(): Promise<void>;
};

/** The real server behind a gate of its own, which it knows as its address. */
export async function runBehindGate(): Promise<GatedServer> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const server = await runServer({ environment: async () => ({ SITE_URL: url }) });
  const sockets = new Set<Socket>();
  let isOpen = true;
  let lost: string | undefined;
  const gate = createServer((socket) => {
    if (!isOpen) {
      socket.destroy();
      return;
    }
    const onward = connect(Number(new URL(server.url).port), '127.0.0.1');
    let isLost = false;
    for (const one of [socket, onward]) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        socket.destroy();
        onward.destroy();
      });
    }
    socket.on('data', (asked) => {
      if (lost !== undefined && asked.includes(lost)) {
        isLost = true;
        lost = undefined;
      }
      onward.write(asked);
    });
    onward.on('data', (answer) => {
      if (isLost) shut();
      else socket.write(answer);
    });
  });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const shut = () => {
    isOpen = false;
    cut();
  };
  await new Promise<void>((resolve) => gate.listen(port, '127.0.0.1', resolve));
  return {
    server,
    url,
    open: () => {
      isOpen = true;
    },
    shutBeforeAnswer: (path) => {
      lost = path;
    },
    remove: async () => {
      gate.close();
      cut();
      await server.remove();
    },
  };
}
