import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';

const SCRIPT = fileURLToPath(new URL('./bare-server.ts', import.meta.url));

/** Starts the bare server on a free port of this machine, over the database of `connection`. */
export async function startBareServer(connection: pg.ClientConfig): Promise<{ url: string; stop(): void }> {
  const child = fork(SCRIPT, { env: { ...process.env, BARE_CONNECTION: JSON.stringify(connection) } });
  const [address] = (await once(child, 'message')) as [AddressInfo];
  return { url: `http://127.0.0.1:${address.port}`, stop: () => child.disconnect() };
}
