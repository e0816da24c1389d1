import { join } from 'node:path';
import { findRunningPostgres } from '@linkoteca/embedded-postgres/find-running-postgres';
import { createDataFolder } from '@linkoteca/server-process/create-data-folder';
import type { Figure } from './benchmark.ts';
import { compareThroughput } from './compare-throughput.ts';
import { PASSWORD, signInAs } from './sign-in-as.ts';
import { startBareServer } from './start-bare-server.ts';
import { startServer } from './start-server.ts';

/** The load is one address: no limit may stand in its way. */
const UNLIMITED = { SUPABASE_AUTH_RATE_LIMIT_SIGN_IN_SIGN_UPS: '1000000' };

/** Fewer than the attempts that an account may have under way: each counts until it has turned out right. */
const CONNECTIONS = 8;

/**
 * Signing in with a password beside nothing but its hash, and `GET /user` beside a bare server that verifies the same token and reads the same row:
 * requests a second of each.
 */
export async function measureSignIn(): Promise<readonly Figure[]> {
  const folder = await createDataFolder();
  const server = await startServer(folder.path, UNLIMITED);
  try {
    const connection = findRunningPostgres(join(folder.path, 'postgres'));
    if (connection === undefined) throw new Error(`no database runs on ${folder.path}`);
    const { email } = await signInAs(server, 'medida@exemplo.com.br');
    // Somebody else: an account keeps so many sessions, and the oldest go.
    const { headers } = await signInAs(server, 'leitura@exemplo.com.br');
    const auth = `${server.url}/auth/v1`;
    const bare = await startBareServer(connection, await readSigningKeys(auth));
    try {
      const body = JSON.stringify({ email, password: PASSWORD });
      const visitor = { apikey: server.anonKey, 'content-type': 'application/json' };
      const rate = await compareThroughput(
        {
          signIn: { url: `${auth}/token?grant_type=password`, method: 'POST', headers: visitor, body },
          hash: { url: `${bare.url}/check-password`, method: 'POST', headers: {}, body },
          user: { url: `${auth}/user`, headers },
          bareUser: { url: `${bare.url}/own-user`, headers },
        },
        { connections: CONNECTIONS },
      );
      return [
        compare(
          'sign in with a password, requests/s ÷ bare server that does its hash',
          rate.signIn,
          rate.hash,
          0.8,
        ),
        compare(
          '`GET /user`, requests/s ÷ bare server that verifies the same token',
          rate.user,
          rate.bareUser,
          0.7,
        ),
      ];
    } finally {
      bare.stop();
    }
  } finally {
    await server.stop();
    await folder.remove();
  }
}

function compare(name: string, ours: number, bare: number, goal: number): Figure {
  const ratio = ours / bare;
  return {
    name,
    value: `×${ratio.toFixed(2)} (${Math.round(ours)} ÷ ${Math.round(bare)})`,
    goal: `≥ ×${goal.toFixed(2)}`,
    met: ratio >= goal,
  };
}

async function readSigningKeys(auth: string): Promise<readonly object[]> {
  const response = await fetch(`${auth}/.well-known/jwks.json`);
  const { keys } = (await response.json()) as { keys: readonly object[] };
  return keys;
}
