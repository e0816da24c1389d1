import { createServer as createHttpServer, type RequestListener } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import type { ConnectTo, ResolveHost } from '../outbound/open-public-connection.ts';

/** Answers of a name server: always the same, or one after the other. */
type Answers = readonly string[] | (() => readonly string[]);

export type TestInternet = {
  readonly resolve: ResolveHost;
  readonly connect: ConnectTo;
  /** Every address a connection was opened to, with its port. */
  readonly dialled: string[];
  /** Every name that was looked up. */
  readonly lookedUp: string[];
  name(host: string, answers: Answers): void;
  /** A web server at an address of this internet. */
  serve(endpoint: string, listener: RequestListener): Promise<void>;
  /** Anything else that accepts connections. */
  serveRaw(endpoint: string, accept: (socket: Socket) => void): Promise<void>;
  /** Any server of ours, put at an address of this internet. */
  plug(endpoint: string, server: Server): Promise<void>;
  /** Connections that are still open. */
  openConnections(): number;
  stop(): Promise<void>;
};

/**
 * An internet of local servers behind public addresses: only the name server and the wire are replaced, so everything that
 * is judged in production is judged here. Endpoints are written `93.184.215.14:80`.
 */
export function startInternet(): TestInternet {
  const names = new Map<string, Answers>();
  const ports = new Map<string, number>();
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const dialled: string[] = [];
  const lookedUp: string[] = [];

  async function plug(endpoint: string, server: Server): Promise<void> {
    servers.push(server);
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ports.set(endpoint, (server.address() as AddressInfo).port);
  }

  return {
    dialled,
    lookedUp,
    plug,
    name: (host, answers) => void names.set(host, answers),
    serve: (endpoint, listener) => plug(endpoint, createHttpServer(listener)),
    serveRaw: (endpoint, accept) =>
      plug(
        endpoint,
        createTcpServer((socket) => {
          accept(socket);
          // A socket that nobody reads never hears that the other side has gone.
          socket.resume();
        }),
      ),
    openConnections: () => sockets.size,
    resolve: async (host) => {
      lookedUp.push(host);
      const answers = names.get(host);
      if (!answers) throw new Error(`queryA ENOTFOUND ${host}`);
      return typeof answers === 'function' ? answers() : answers;
    },
    connect: async (addresses, port, signal) => {
      const endpoint = `${addresses[0]}:${port}`;
      dialled.push(endpoint);
      const local = ports.get(endpoint);
      if (local === undefined) throw new Error(`connect ECONNREFUSED ${endpoint}`);
      const socket = connect({ host: '127.0.0.1', port: local, signal });
      await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
      return socket;
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}
