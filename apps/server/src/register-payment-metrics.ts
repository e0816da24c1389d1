import type { Registry } from 'prom-client';
import { addFigureGauge, keepFresh } from './figures.ts';
import { asServiceRole, type Database } from './kernel/database.ts';

type PaymentMetricsDeps = {
  readonly db: Database;
  readonly now: () => Date;
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
export function registerPaymentMetrics(registry: Registry, { db, now }: PaymentMetricsDeps): void {
  const read = keepFresh(() => measure(db), now);
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
