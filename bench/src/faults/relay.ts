import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a Postgres that can break, as a network does. */
export type Relay = {
  /** @returns the `DATABASE_URL` that leads through here to that socket. */
  lead(socketPath: string): Promise<string>;
  /** Ends all connections and refuses new ones. */
  cut(): void;
  /** From here on nothing comes through any more, and nobody is told; new connections open and stay silent. */
  swallow(): void;
  /** New connections are well. Those that were swallowed stay dead: no end of theirs is ever told of. */
  heal(): void;
  close(): Promise<void>;
};

export async function createRelay(): Promise<Relay> {
  let target = '';
  let mode: 'open' | 'cut' | 'swallowing' = 'open';
  const pairs = new Set<readonly [Socket, Socket | undefined]>();

  const server = createServer((near) => {
    near.on('error', () => undefined);
    if (mode === 'cut') near.destroy();
    else if (mode === 'swallowing') {
      near.resume();
      pairs.add([near, undefined]);
    } else join(near);
  });

  function join(near: Socket): void {
    const far = connect(target);
    const pair = [near, far] as const;
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
    near.pipe(far);
    far.pipe(near);
  }

  function swallowPair([near, far]: readonly [Socket, Socket | undefined]): void {
    near.unpipe();
    near.removeAllListeners('close');
    near.resume();
    // The other side of a dead network: in the end Postgres gives the connection up by itself.
    far?.removeAllListeners('close');
    far?.destroy();
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    async lead(socketPath) {
      target = socketPath;
      return `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable`;
    },
    cut() {
      mode = 'cut';
      for (const pair of pairs) for (const socket of pair) socket?.destroy();
      pairs.clear();
    },
    swallow() {
      mode = 'swallowing';
      for (const pair of pairs) swallowPair(pair);
    },
    heal() {
      mode = 'open';
    },
    async close() {
      server.close();
      for (const pair of pairs) for (const socket of pair) socket?.destroy();
    },
  };
}
