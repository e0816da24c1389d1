import { setTimeout as pause } from 'node:timers/promises';
import type { Draw } from '@linkoteca/server-process/create-draw';
import type { ServerProcess } from '@linkoteca/server-process/start-server-process';
import type { Fault } from './fault.ts';
import { createInstallation, type Installation } from './installation.ts';
import { killPostgres } from './kills.ts';
import { findPostmaster, listFamily, signalAll } from './processes.ts';
import { createRelay, type Relay } from './relay.ts';
import { runUnderLoad } from './run-under-load.ts';

const FROZEN_MS = 4_000;

/** Frozen for some seconds, then on as if nothing had been. */
async function freezePostgres({ postgresFolder, recover }: Installation): Promise<number> {
  const family = listFamily(findPostmaster(postgresFolder));
  signalAll(family, 'SIGSTOP');
  await pause(FROZEN_MS);
  signalAll(family, 'SIGCONT');
  return recover();
}

/** Longer than any orchestrator waits. */
const STOP_PATIENCE_MS = 45_000;

/** What an operator does about a frozen database: SIGTERM, which must end in time, then a start. @returns the longer of both. */
async function stopWhileFrozen(installation: Installation): Promise<number> {
  const [server] = installation.servers as readonly [ServerProcess];
  const family = listFamily(findPostmaster(installation.postgresFolder));
  signalAll(family, 'SIGSTOP');
  const since = performance.now();
  const stopping = server.stop();
  await Promise.race([stopping, pause(STOP_PATIENCE_MS, undefined, { ref: false })]);
  const stopSeconds = (performance.now() - since) / 1000;
  signalAll(family, 'SIGCONT');
  await stopping;
  return Math.max(stopSeconds, await installation.start());
}

type Outage = (relay: Relay, draw: Draw) => Promise<void>;

/** A server whose external Postgres is behind a relay that breaks. */
function behindRelay(outage: Outage): Fault['run'] {
  return async (trial) => {
    const relay = await createRelay();
    try {
      await runUnderLoad(trial, {
        open: () => createInstallation({ copies: 1, reach: (postgres) => relay.lead(postgres.socketPath) }),
        strike: async ({ recover }) => {
          await outage(relay, trial.draw);
          return recover();
        },
      });
    } finally {
      await relay.close();
    }
  };
}

const external = () => createInstallation({ copies: 1 });

export const DATABASE_FAULTS: readonly Fault[] = [
  {
    name: 'freeze-postgres',
    title: `Postgres stands still for ${FROZEN_MS / 1000} s`,
    rounds: 4,
    recoverWithinSeconds: 10,
    run: (trial) => runUnderLoad(trial, { open: () => createInstallation(), strike: freezePostgres }),
  },
  {
    name: 'stop-frozen',
    title: 'SIGTERM while Postgres stands still, then a start',
    rounds: 2,
    recoverWithinSeconds: 30,
    run: (trial) => runUnderLoad(trial, { open: () => createInstallation(), strike: stopWhileFrozen }),
  },
  {
    name: 'restart-external',
    title: 'external Postgres killed and restarted',
    rounds: 6,
    recoverWithinSeconds: 20,
    run: (trial) => runUnderLoad(trial, { open: external, strike: killPostgres }),
  },
  {
    name: 'cut-off',
    title: 'external Postgres unreachable: connections cut and refused for up to 3 s',
    rounds: 6,
    recoverWithinSeconds: 10,
    run: behindRelay(async (relay, draw) => {
      relay.cut();
      await pause(draw.number(3_000));
      relay.heal();
    }),
  },
  {
    name: 'black-hole',
    title: 'external Postgres unreachable: nothing comes back for up to 8 s, and what was open stays dead',
    rounds: 4,
    recoverWithinSeconds: 30,
    run: behindRelay(async (relay, draw) => {
      relay.swallow();
      await pause(2_000 + draw.number(6_000));
      relay.heal();
    }),
  },
];
