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

type PeakWatch = {
  /** To be called now and then with the number of open sockets. */
  update(sockets: number): void;
};

/** Fewer than these leave nothing behind that is worth a pause. */
const MIN_PEAK = 200;

/** Of the peak, so much may still be there when it counts as over. */
const REMAINING_SHARE = 0.1;

/**
 * Calls `release` once when most sockets of a peak are closed and none are opened between two updates: left alone, the engine keeps for hours what
 * thousands of sockets have used, because nothing asks it for memory any more.
 */
export function watchPeak(release: () => void): PeakWatch {
  let most = 0;
  let isFalling = false;
  return {
    update(sockets) {
      most = Math.max(most, sockets);
      const isOver = most >= MIN_PEAK && sockets <= most * REMAINING_SHARE;
      if (isOver && isFalling) {
        most = sockets;
        release();
      }
      isFalling = isOver && !isFalling;
    },
  };
}
