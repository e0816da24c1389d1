import { Gauge, type Registry } from 'prom-client';

/** Figures as they were read last; undefined while they never could be. */
export type ReadFigures<T> = () => Promise<T | undefined>;

export type FigureGauge<T> = {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  /** What is not known is left out. */
  readonly list: (figures: T) => readonly (readonly [Record<string, string>, number | null])[];
};

/** Asking the database is cheap but not free, and some look every few seconds. */
const FRESH_MS = 60_000;
/** Whoever watches an outage wants to see the rest. */
const PATIENCE_MS = 1_000;

/** Reads once in `freshMs` at most. What cannot be read, or not in time, stays as it was last: `linkoteca_database_up` says why. */
export function keepFresh<T>(read: () => Promise<T>, now: () => Date, freshMs = FRESH_MS): ReadFigures<T> {
  let known: T | undefined;
  let reading: Promise<void> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (reading === undefined && now().getTime() - askedAt >= freshMs) {
      askedAt = now().getTime();
      reading = read()
        .then(
          (figures) => {
            known = figures;
          },
          () => undefined,
        )
        .finally(() => {
          reading = undefined;
        });
    }
    if (reading) await withPatience(reading);
    return known;
  };
}

async function withPatience(reading: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, PATIENCE_MS);
  await Promise.race([reading, late.promise]);
  clearTimeout(timer);
}

/** Shows what was read whenever somebody looks. */
export function addFigureGauge<T>(
  registry: Registry,
  read: ReadFigures<T>,
  { name, help, labelNames, list }: FigureGauge<T>,
): void {
  new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    async collect() {
      const figures = await read();
      this.reset();
      // Without labels a reset means 0, which is not what "unknown" means.
      this.remove({});
      if (figures === undefined) return;
      for (const [labels, value] of list(figures)) if (value !== null) this.set(labels, value);
    },
  });
}
