/** Measures the stages of one request, one after the other. */
export type Stopwatch = {
  /** Ends a stage, which began where the one before ended. */
  lap(stage: 'jwt' | 'parse' | 'plan' | 'transaction' | 'response'): void;
  /** The header `Server-Timing` (W3C): stages in their order, in milliseconds. */
  render(): string;
};

export function startStopwatch(now: () => number = () => performance.now()): Stopwatch {
  let before = now();
  const laps: string[] = [];
  return {
    lap(stage) {
      const present = now();
      laps.push(`${stage};dur=${(present - before).toFixed(1)}`);
      before = present;
    },
    render: () => laps.join(', '),
  };
}
