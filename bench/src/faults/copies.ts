import { setTimeout as pause } from 'node:timers/promises';
import type { Draw } from '@linkoteca/server-process/create-draw';
import type { ServerProcess } from '@linkoteca/server-process/start-server-process';
import type { Fault } from './fault.ts';
import { createInstallation, type Installation } from './installation.ts';
import { runUnderLoad } from './run-under-load.ts';

/** One copy is killed; the other serves on, and must say so at once. */
async function killOneCopy(installation: Installation, draw: Draw): Promise<number> {
  const place = draw.number(2);
  const [killed, other] = place === 0 ? installation.servers : installation.servers.toReversed();
  await (killed as ServerProcess).kill();
  const health = await fetch(`${(other as ServerProcess).url}/health`);
  if (health.status !== 200) throw new Error(`the other copy answers ${health.status}`);
  await pause(draw.number(500));
  return installation.start(place);
}

export const COPIES: readonly Fault[] = [
  {
    name: 'kill-copy',
    title: 'two copies on one Postgres, one of them killed',
    rounds: 10,
    recoverWithinSeconds: 15,
    run: (trial) =>
      runUnderLoad(trial, { open: () => createInstallation({ copies: 2 }), strike: killOneCopy }),
  },
];
