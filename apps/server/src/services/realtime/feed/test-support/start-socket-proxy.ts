import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type SocketProxy = {
  /** To be given to the driver in place of the cluster's own. */
  readonly host: string;
  /** What Postgres says travels no further, and nobody is told. */
  freeze(): void;
  /** What Postgres says travels in pieces of this many bytes, one every 20 ms; connections made later are as fast as ever. */
  slowDown(bytes: number): void;
  /** Cuts every connection and refuses new ones until `open`. */
  shut(): Promise<void>;
  open(): Promise<void>;
};

/** Stands between a feed and the cluster's unix socket, and can be as bad as a network. */
export async function startSocketProxy(clusterHost: string): Promise<SocketProxy> {
  const host = mkdtempSync(join(tmpdir(), 'linkoteca-proxy-'));
  const path = join(host, '.s.PGSQL.5432');
  const pairs = new Set<{ readonly client: Socket; readonly upstream: Socket; timer?: NodeJS.Timeout }>();
  let server: Server | undefined;

  function accept(client: Socket): void {
    const upstream = connect(join(clusterHost, '.s.PGSQL.5432'));
    const pair = { client, upstream };
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    client.pipe(upstream);
    upstream.pipe(client);
    for (const socket of [client, upstream]) socket.on('close', end).on('error', end);
  }

  const proxy: SocketProxy = {
    host,
    freeze() {
      for (const { client, upstream } of pairs) upstream.unpipe(client).pause();
    },
    slowDown(bytes) {
      for (const { client, upstream } of pairs) {
        upstream.unpipe(client).pause();
        const timer = setInterval(() => {
          const piece: unknown = upstream.read(bytes) ?? upstream.read();
          if (piece instanceof Buffer) client.write(piece);
        }, 20);
        upstream.on('close', () => clearInterval(timer));
      }
    },
    async shut() {
      for (const { client, upstream } of pairs) {
        client.destroy();
        upstream.destroy();
      }
      await new Promise((resolve) => server?.close(resolve));
      rmSync(path, { force: true });
    },
    async open() {
      server = createServer(accept);
      await new Promise<void>((resolve) => server?.listen(path, resolve));
    },
  };
  await proxy.open();
  return proxy;
}
