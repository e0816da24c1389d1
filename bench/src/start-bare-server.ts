import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';

const SCRIPT = fileURLToPath(new URL('./bare-server.ts', import.meta.url));

/**
 * Starts the bare server on a free port of this machine, over the database of `connection`, which may say how many connections it has (`max`).
 * @param signingKeys public keys (JWK) that it verifies tokens with
 */
export async function startBareServer(
  connection: pg.PoolConfig,
  signingKeys: readonly object[] = [],
): Promise<{ url: string; stop(): void }> {
  const environment = {
    BARE_CONNECTION: JSON.stringify(connection),
    BARE_SIGNING_KEYS: JSON.stringify(signingKeys),
  };
  const child = fork(SCRIPT, { env: { ...process.env, ...environment } });
  const [address] = (await once(child, 'message')) as [AddressInfo];
  return { url: `http://127.0.0.1:${address.port}`, stop: () => child.disconnect() };
}
