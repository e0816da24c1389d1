import { setTimeout as pause } from 'node:timers/promises';
import type { Draw } from '@linkoteca/server-process/create-draw';
import type { Trial } from './fault.ts';
import type { Installation } from './installation.ts';
import type { LoadKind } from './write-load.ts';

export type LoadedFault = {
  readonly open: () => Promise<Installation>;
  /** Only these writes; all when missing. */
  readonly kinds?: readonly LoadKind[];
  /** Does the harm while people write, and sees to it that the server serves again. @returns the seconds that took. */
  readonly strike: (installation: Installation, draw: Draw) => Promise<number>;
};

const LONGEST_MS = 900;
const SHORTEST_MS = 150;

/**
 * One installation for all rounds: what was acknowledged in the first is asked for after the last as well. People write before
 * the fault, during it and when it is over.
 */
export async function runUnderLoad(trial: Trial, { open, kinds, strike }: LoadedFault): Promise<void> {
  const { draw } = trial;
  const installation = await open();
  try {
    for (let round = 0; round < trial.rounds; round += 1) {
      const before = installation.ledger.acknowledged();
      const writing = installation.startWriting(draw, kinds);
      await pause(SHORTEST_MS + draw.number(LONGEST_MS));
      const recoverySeconds = await strike(installation, draw).finally(async () => {
        await pause(SHORTEST_MS);
        await writing.stop();
      });
      const verdict = await installation.compare();
      trial.report({
        ...verdict,
        acknowledged: installation.ledger.acknowledged() - before,
        recoverySeconds,
      });
    }
  } finally {
    await installation.remove();
  }
}
