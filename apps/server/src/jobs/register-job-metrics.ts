import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export type JobMetrics = {
  /** Shown from now on, with zeros: what has never failed is not missing. */
  add(name: string): void;
  ran(name: string, milliseconds: number): void;
  /** @param at milliseconds since 1970. */
  succeeded(name: string, at: number): void;
  failed(name: string): void;
};

/** From a statement of a few milliseconds to a base backup of an hour. */
const SECONDS = [0.01, 0.1, 1, 10, 60, 600, 3600];

/** Shows how the jobs of this copy fare at `/metrics`. */
export function registerJobMetrics(registry: Registry): JobMetrics {
  // Not `job`: Prometheus calls by it what it scrapes.
  const options = { labelNames: ['name'] as const, registers: [registry] };
  const runs = new Counter({
    ...options,
    name: 'linkoteca_job_runs_total',
    help: 'Runs of a job on this copy; a look that finds nothing due, or another copy at it, is none.',
  });
  const failures = new Counter({
    ...options,
    name: 'linkoteca_job_failures_total',
    help: 'How often a job, or the look whether it is due, has failed.',
  });
  const lastSuccess = new Gauge({
    ...options,
    name: 'linkoteca_job_last_success_timestamp_seconds',
    help: 'When a run on this copy last went well; not there before the first.',
  });
  const durations = new Histogram({
    ...options,
    name: 'linkoteca_job_duration_seconds',
    help: 'How long the runs took, good or not.',
    buckets: SECONDS,
  });
  return {
    add(name) {
      runs.inc({ name }, 0);
      failures.inc({ name }, 0);
    },
    ran(name, milliseconds) {
      runs.inc({ name });
      durations.observe({ name }, milliseconds / 1000);
    },
    succeeded: (name, at) => lastSuccess.set({ name }, at / 1000),
    failed: (name) => failures.inc({ name }),
  };
}
