import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collector = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

let collector: Collector | undefined;

/** Collects garbage and gives the memory back to the system; everything stands still meanwhile, for some tens of milliseconds. */
export function collectGarbage(): void {
  if (collector === undefined) {
    // The engine's own function, which is handed out to contexts that are made after this flag.
    setFlagsFromString('--expose-gc');
    collector = runInNewContext('gc') as Collector;
  }
  collector({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
