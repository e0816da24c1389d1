import { Counter, Gauge, type Registry } from 'prom-client';

export type FunctionMeasures = {
  /** @param outcome `answered`, `failed` (the function's own 5xx), or the service's fault. */
  called(name: string, outcome: string): void;
  ended(name: string, reason: string): void;
};

/** Counts calls, and how workers end; how many run is counted when somebody looks. */
export function measureFunctions(
  registry: Registry,
  countWorkers: () => ReadonlyMap<string, number>,
): FunctionMeasures {
  const registers = [registry];
  const calls = new Counter({
    name: 'linkoteca_function_calls_total',
    help: 'Calls of functions, by what became of them.',
    labelNames: ['function', 'outcome'] as const,
    registers,
  });
  const ends = new Counter({
    name: 'linkoteca_function_worker_ends_total',
    help: 'Processes of functions that have ended, by reason.',
    labelNames: ['function', 'reason'] as const,
    registers,
  });
  new Gauge({
    name: 'linkoteca_function_workers',
    help: 'Processes of functions that run.',
    labelNames: ['function'] as const,
    registers,
    collect() {
      for (const [name, running] of countWorkers()) this.set({ function: name }, running);
    },
  });
  return {
    called: (name, outcome) => calls.inc({ function: name, outcome }),
    ended: (name, reason) => ends.inc({ function: name, reason }),
  };
}
