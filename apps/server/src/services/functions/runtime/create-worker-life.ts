import type { WorkerLimits } from './worker-process.ts';

export type WorkerLifeDeps = {
  readonly limits: Pick<WorkerLimits, 'retireAfterMs' | 'wallMs'>;
  /** Told whether there is work to be watched. */
  readonly setBusy: (isBusy: boolean) => void;
  /** Nobody needs the worker any more. */
  readonly retired: () => void;
};

export type WorkerLife = {
  /** The function has been loaded. */
  ready(): void;
  /** Whether new calls may come. */
  isOpen(): boolean;
  calls(): number;
  /** Counts a call; the result, called once, says that it is over. */
  begin(): () => void;
  /** How much work goes on after its answer. */
  setBackground(open: number): void;
  /** No new calls; it is over with the last. */
  retire(): void;
  /** The process has ended, or is about to. */
  end(): void;
};

/** Knows from the calls of a worker when it works, when it rests and when it is done. */
export function createWorkerLife({ limits, setBusy, retired }: WorkerLifeDeps): WorkerLife {
  let calls = 0;
  let background = 0;
  let state: 'loading' | 'open' | 'retiring' | 'ended' = 'loading';
  let rest: NodeJS.Timeout | undefined;

  function settle(): void {
    clearTimeout(rest);
    // Loading has a time limit of its own.
    setBusy(calls + background > 0 && (state === 'open' || state === 'retiring'));
    if (calls > 0 || state === 'ended') return;
    if (background === 0 && state === 'retiring') {
      retired();
      return;
    }
    // Work that goes on after the answer has as long as a call.
    rest = setTimeout(retired, background > 0 ? limits.wallMs : limits.retireAfterMs);
    rest.unref();
  }

  function enter(next: typeof state): void {
    if (state === 'ended') return;
    state = next;
    settle();
  }

  return {
    ready: () => enter(state === 'retiring' ? 'retiring' : 'open'),
    isOpen: () => state === 'loading' || state === 'open',
    calls: () => calls,
    begin() {
      calls += 1;
      settle();
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        calls -= 1;
        settle();
      };
    },
    setBackground(open) {
      background = open;
      settle();
    },
    retire: () => enter('retiring'),
    end: () => enter('ended'),
  };
}
