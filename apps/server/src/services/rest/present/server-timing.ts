const STAGES = ['jwt', 'parse', 'plan', 'transaction', 'response'] as const;
type Stage = (typeof STAGES)[number];

/** Measures the stages of one request, one after the other. */
export type Stopwatch = {
  /** Ends a stage, which began where the one before ended. */
  lap(stage: Stage): void;
  /** Ends the stage that is under way, which failed. */
  fail(): void;
  /** The header `Server-Timing` (W3C): stages in their order, in milliseconds. */
  render(): string;
};

export function startStopwatch(now: () => number = () => performance.now()): Stopwatch {
  let before = now();
  const laps: string[] = [];
  const lap = (stage: Stage) => {
    const present = now();
    laps.push(`${stage};dur=${(present - before).toFixed(1)}`);
    before = present;
  };
  return {
    lap,
    fail() {
      const stage = STAGES[laps.length];
      if (stage !== undefined) lap(stage);
    },
    render: () => laps.join(', '),
  };
}
