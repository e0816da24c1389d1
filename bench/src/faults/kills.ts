import { setTimeout as pause } from 'node:timers/promises';
import { createDataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { launchServerProcess, type ServerProcess } from '@linkoteca/server-process/start-server-process';
import type { Fault, Trial } from './fault.ts';
import { createInstallation, type Installation } from './installation.ts';
import { findPostmaster, signalAll } from './processes.ts';
import { runUnderLoad } from './run-under-load.ts';
import type { LoadKind } from './write-load.ts';

async function killServer(installation: Installation): Promise<number> {
  await (installation.servers[0] as ServerProcess).kill();
  return installation.start();
}

/** The supervisor starts Postgres again; a server that ends over it is started as `npm start` does. */
export async function killPostgres({ postgresFolder, recover }: Installation): Promise<number> {
  const since = performance.now();
  const killed = findPostmaster(postgresFolder);
  signalAll([killed], 'SIGKILL');
  // Until then the server may answer from a backend that has not noticed yet.
  while (readPostmaster(postgresFolder) === killed) await pause(20);
  await recover();
  return (performance.now() - since) / 1000;
}

/** @returns undefined between two lives. */
function readPostmaster(postgresFolder: string): number | undefined {
  try {
    return findPostmaster(postgresFolder);
  } catch {
    return undefined;
  }
}

async function killBoth(installation: Installation): Promise<number> {
  signalAll([findPostmaster(installation.postgresFolder)], 'SIGKILL');
  return killServer(installation);
}

const oneServer = () => createInstallation();
const killDuring = (kinds: readonly LoadKind[]) => (trial: Trial) =>
  runUnderLoad(trial, {
    open: oneServer,
    kinds,
    strike: (installation, draw) => (draw.chance(50) ? killServer : killBoth)(installation),
  });

/** A first start may take so long; the kill falls anywhere inside. */
const START_MS = 2_500;

/** Nothing is acknowledged yet: the next start, at once, must work like a first one. */
async function killFirstStarts(trial: Trial): Promise<void> {
  for (let round = 0; round < trial.rounds; round += 1) {
    const data = await createDataFolder();
    const killed = launchServerProcess({ dataFolder: data.path, port: await findFreePort() });
    await pause(trial.draw.number(START_MS));
    await killed.kill();
    const since = performance.now();
    const installation = await createInstallation({ data });
    const recoverySeconds = (performance.now() - since) / 1000;
    try {
      const writing = installation.startWriting(trial.draw);
      await pause(300);
      await writing.stop();
      const acknowledged = installation.ledger.acknowledged();
      trial.report({ ...(await installation.compare()), acknowledged, recoverySeconds });
    } finally {
      await installation.remove();
    }
  }
}

/** A start after a crash, itself killed up to three times on the way. */
async function killLaterStarts(installation: Installation, draw: Trial['draw']): Promise<number> {
  const [server] = installation.servers as readonly [ServerProcess];
  await server.kill();
  for (const kill of draw.many(2, () => draw.number(900)).concat(300)) {
    const starting = launchServerProcess({
      dataFolder: installation.dataFolder,
      port: Number(new URL(server.url).port),
    });
    await pause(kill);
    await starting.kill();
  }
  return installation.start();
}

export const KILLS: readonly Fault[] = [
  {
    name: 'kill-server',
    title: '`kill -9` of the server',
    rounds: 15,
    recoverWithinSeconds: 15,
    run: (trial) => runUnderLoad(trial, { open: oneServer, strike: killServer }),
  },
  {
    name: 'kill-postgres',
    title: '`kill -9` of Postgres',
    rounds: 12,
    recoverWithinSeconds: 20,
    run: (trial) => runUnderLoad(trial, { open: oneServer, strike: killPostgres }),
  },
  {
    name: 'kill-both',
    title: '`kill -9` of both',
    rounds: 12,
    recoverWithinSeconds: 15,
    run: (trial) => runUnderLoad(trial, { open: oneServer, strike: killBoth }),
  },
  {
    name: 'kill-import',
    title: '`kill -9` during imports',
    rounds: 8,
    recoverWithinSeconds: 15,
    run: killDuring(['imports']),
  },
  {
    name: 'kill-upload',
    title: '`kill -9` during uploads',
    rounds: 8,
    recoverWithinSeconds: 15,
    run: killDuring(['files']),
  },
  {
    name: 'kill-first-start',
    title: '`kill -9` in the first start, then a start at once',
    rounds: 10,
    recoverWithinSeconds: 25,
    run: killFirstStarts,
  },
  {
    name: 'kill-start',
    title: '`kill -9` in up to three later starts, then one at once',
    rounds: 6,
    recoverWithinSeconds: 25,
    run: (trial) => runUnderLoad(trial, { open: oneServer, strike: killLaterStarts }),
  },
];
