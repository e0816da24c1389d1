import { Gauge, type Registry } from 'prom-client';
import { asServiceRole, type Database } from '../kernel/database.ts';

type PaymentMetricsDeps = {
  readonly db: Database;
  readonly now: () => Date;
  /** How long a look waits for figures that are slow to read. */
  readonly patienceMs?: number;
};

/** As `private.measure_payments()` answers. */
type PaymentFigures = {
  readonly events: readonly { readonly type: string; readonly outcome: string; readonly count: number }[];
  readonly subscriptions: readonly {
    readonly plan: string;
    readonly state: string;
    readonly count: number;
  }[];
  readonly reconciliation: {
    /** Seconds since 1970; null while one is under way, or there never was one. */
    readonly finished_at: number | null;
    readonly checked: number | null;
    readonly repaired: number | null;
  };
};

/**
 * What `/metrics` says of payments. Functions run in processes of their own, of which any copy of the server may have some, and they
 * write down what they have done: so it is the database that is asked, and every copy shows the same.
 */
export function registerPaymentMetrics(
  registry: Registry,
  { db, now, patienceMs }: PaymentMetricsDeps,
): void {
  const read = keepFresh(() => measure(db), now, { patienceMs });
  addFigureGauge(registry, read, {
    name: 'linkoteca_payment_events',
    help: 'Signed events of the last 90 days: applied, superseded by a newer state, ignored, or waiting to be sent again.',
    labelNames: ['type', 'outcome'],
    list: ({ events }) => events.map(({ type, outcome, count }) => [{ type, outcome }, count]),
  });
  addFigureGauge(registry, read, {
    name: 'linkoteca_subscriptions',
    help: 'Subscriptions as they were last written, by plan and state.',
    labelNames: ['plan', 'state'],
    list: ({ subscriptions }) => subscriptions.map(({ plan, state, count }) => [{ plan, state }, count]),
  });
  addFigureGauge(registry, read, {
    name: 'linkoteca_reconciliation_customers',
    help: 'Customers of the last finished reconciliation: all that were checked, and those that had to be repaired.',
    labelNames: ['outcome'],
    list: ({ reconciliation }) =>
      (['checked', 'repaired'] as const).map((outcome) => [{ outcome }, reconciliation[outcome]]),
  });
  addFigureGauge(registry, read, {
    name: 'linkoteca_reconciliation_finished_timestamp_seconds',
    help: 'When the last reconciliation was finished.',
    labelNames: [],
    list: ({ reconciliation }) => [[{}, reconciliation.finished_at]],
  });
}

function measure(db: Database): Promise<PaymentFigures> {
  return asServiceRole(db, 'measure payments', async (tx) => {
    const { rows } = await tx.query<{ readonly figures: PaymentFigures }>({
      name: 'measure_payments',
      text: 'select private.measure_payments() as figures',
      values: [],
    });
    const [row] = rows;
    if (row === undefined) throw new Error('measure_payments: no answer');
    return row.figures;
  });
}

/** Figures as they were read last; undefined while they never could be. */
type ReadFigures<T> = () => Promise<T | undefined>;

type FigureGauge<T> = {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  /** What is not known is left out. */
  readonly list: (figures: T) => readonly (readonly [Record<string, string>, number | null])[];
};

/** Asking the database is cheap but not free, and some look every few seconds. */
const FRESH_MS = 60_000;
/** Unless another is given: whoever watches an outage wants to see the rest. */
const PATIENCE_MS = 1_000;

type Freshness = { readonly freshMs?: number; readonly patienceMs?: number | undefined };

/** Reads once in `freshMs` at most. What cannot be read, or not in time, stays as it was last: `linkoteca_database_up` says why. */
export function keepFresh<T>(
  read: () => Promise<T>,
  now: () => Date,
  { freshMs = FRESH_MS, patienceMs = PATIENCE_MS }: Freshness = {},
): ReadFigures<T> {
  let known: T | undefined;
  let reading: Promise<void> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (reading === undefined && Math.abs(now().getTime() - askedAt) >= freshMs) {
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
    if (reading) await withPatience(reading, patienceMs);
    return known;
  };
}

async function withPatience(reading: Promise<void>, patienceMs: number): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, patienceMs);
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
