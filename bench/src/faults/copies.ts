import { setTimeout as pause } from 'node:timers/promises';
import { ISOLATED } from '@linkoteca/embedded-postgres/test-support/isolated';
import type { Draw } from '@linkoteca/server-process/create-draw';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { runServerToItsEnd, type ServerProcess } from '@linkoteca/server-process/start-server-process';
import type { Fault } from './fault.ts';
import { createInstallation, type Installation } from './installation.ts';
import { killWithAllBelow } from './processes.ts';
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

/** Processes and shared memory of its own, and the network of everybody. */
const CONTAINER = ISOLATED.filter((option) => option !== '--net');

/** A start in another container is refused while the folder is in use; once the one that uses it is killed, the next takes over. */
async function changeContainers(installation: Installation): Promise<number> {
  const { dataFolder, servers } = installation;
  const port = await findFreePort();
  const refused = await runServerToItsEnd({ dataFolder, port, startedBy: CONTAINER });
  if (refused.code === 0 || !refused.output.includes('já usa a pasta de dados'))
    throw new Error(`a second server ended with ${refused.code}: ${refused.output}`);
  await killWithAllBelow(servers[0] as ServerProcess);
  return installation.start();
}

export const COPIES: readonly Fault[] = [
  {
    name: 'change-containers',
    title:
      'a second container on the data folder of one: refused, then the first is killed and another takes over',
    rounds: 8,
    recoverWithinSeconds: 15,
    findObstacle: () => (CONTAINER.length === 0 ? 'no namespaces are permitted' : undefined),
    run: (trial) =>
      runUnderLoad(trial, {
        open: () => createInstallation({ startedBy: CONTAINER }),
        strike: changeContainers,
      }),
  },
  {
    name: 'kill-copy',
    title: 'two copies on one Postgres, one of them killed',
    rounds: 10,
    recoverWithinSeconds: 15,
    run: (trial) =>
      runUnderLoad(trial, { open: () => createInstallation({ copies: 2 }), strike: killOneCopy }),
  },
];
