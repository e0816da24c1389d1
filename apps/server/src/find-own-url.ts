import type { Server } from 'node:http';

/** Listening on every address, it answers on the loopback one as well. */
const EVERYWHERE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Where this machine reaches the server itself; undefined while it does not listen. */
export function findOwnUrl(server: Pick<Server, 'address'>): string | undefined {
  const bound = server.address();
  if (bound === null || typeof bound === 'string') return undefined;
  const address = EVERYWHERE[bound.address] ?? bound.address;
  return `http://${address.includes(':') ? `[${address}]` : address}:${bound.port}`;
}
