import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createDataFolder } from '@linkoteca/server-process/create-data-folder';
import type { Draw } from '@linkoteca/server-process/create-draw';
import type { ServerProcess } from '@linkoteca/server-process/start-server-process';
import { PASSWORD } from '../sign-in-as.ts';
import type { Fault } from './fault.ts';
import { createInstallation, type Installation } from './installation.ts';
import type { Writer } from './people.ts';
import { runUnderLoad } from './run-under-load.ts';

const HOUR_MS = 3_600_000;
const JUMPS_MS = [HOUR_MS, -HOUR_MS, 400 * 24 * HOUR_MS];
const AWAY_MS = 1_500;
/** The server reads the new time when the signal reaches it. */
const ARRIVES_WITHIN_MS = 200;

type Session = { readonly headers: Readonly<Record<string, string>>; readonly refreshToken: string };

/**
 * The server's clock jumps and comes back. Whoever was signed in exchanges their token and writes, at either time; accounts are
 * opened; and the upkeep of accounts, asked in the meantime, closes nobody's.
 */
function jumpUnderLoad(clockFile: string) {
  return async ({ servers, keys, writers, look }: Installation, draw: Draw): Promise<number> => {
    const [{ url, pid }] = servers as readonly [ServerProcess];
    const since = performance.now();
    for (const offset of [draw.one(JUMPS_MS), 0]) {
      writeFileSync(clockFile, String(offset));
      process.kill(pid, 'SIGUSR2');
      await pause(ARRIVES_WITHIN_MS);
      for (const writer of writers) {
        const session = await refresh(url, sessions.get(writer.id) ?? writer);
        sessions.set(writer.id, session);
        await post(url, '/rest/v1/rpc/find_links_by_url', session.headers, { urls: [] });
      }
      const visitor = { apikey: keys.anonKey, 'content-type': 'application/json' };
      const account = { email: `relogio-${randomUUID()}@exemplo.com.br`, password: PASSWORD };
      await post(url, '/auth/v1/signup', visitor, account);
      const service = { apikey: keys.serviceRoleKey, authorization: `Bearer ${keys.serviceRoleKey}` };
      await post(url, '/functions/v1/account-upkeep', service, {});
      await pause(AWAY_MS);
    }
    await look(async (database) => {
      const { rows } = await database.query('select count(*)::int as closed from private.account_closures');
      if (rows[0].closed > 0) throw new Error(`${rows[0].closed} accounts were closed by a clock`);
    });
    return Math.max(0, (performance.now() - since - 2 * (AWAY_MS + ARRIVES_WITHIN_MS)) / 1000);
  };
}

const sessions = new Map<string, Session>();

async function refresh(url: string, { headers, refreshToken }: Session | Writer): Promise<Session> {
  const { authorization: _, ...visitor } = headers;
  const answer = await post(url, '/auth/v1/token?grant_type=refresh_token', visitor, {
    refresh_token: refreshToken,
  });
  const session = (await answer.json()) as { readonly access_token: string; readonly refresh_token: string };
  return {
    headers: { ...headers, authorization: `Bearer ${session.access_token}` },
    refreshToken: session.refresh_token,
  };
}

async function post(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: object,
): Promise<Response> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response;
}

export const CLOCK_JUMPS: Fault = {
  name: 'clock',
  title: "the server's clock jumps an hour forth, an hour back or 400 days forth, and returns",
  rounds: 6,
  recoverWithinSeconds: 10,
  async run(trial) {
    const data = await createDataFolder();
    const clockFile = `${data.path}-clock`;
    const preload = fileURLToPath(new URL('shift-clock.ts', import.meta.url));
    await runUnderLoad(trial, {
      open: () =>
        createInstallation({
          data,
          environment: { CLOCK_FILE: clockFile, NODE_OPTIONS: `--import=${preload}` },
        }),
      strike: jumpUnderLoad(clockFile),
    });
  },
};
