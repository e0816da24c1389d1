import type { Draw } from '@linkoteca/server-process/create-draw';
import type { Verdict } from './ledger.ts';

export type Round = Verdict & {
  /** Requests that were acknowledged before the fault, and during it. */
  readonly acknowledged: number;
  /** From the fault's end, or the new start, until the server serves again. */
  readonly recoverySeconds: number;
};

export type Trial = {
  readonly draw: Draw;
  readonly rounds: number;
  /** To be called once a round. */
  report(round: Round): void;
};

/** One row of the table: `npm run faults -- NAME`. */
export type Fault = {
  readonly name: string;
  /** What happens, in the words of the table. */
  readonly title: string;
  readonly rounds: number;
  /** A recovery that takes longer is a failure. */
  readonly recoverWithinSeconds: number;
  /** Why it cannot be tried on this machine; undefined when it can. */
  readonly findObstacle?: () => string | undefined;
  readonly run: (trial: Trial) => Promise<void>;
};
