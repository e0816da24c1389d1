import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { countWaiting, type Database, watchWaiting } from '../database.ts';
import type { Health } from '../health/create-health.ts';
import { findService } from './answer-unknown-path.ts';
import type { OperatorAccess } from './operator-access.ts';

export type MetricsOptions = {
  /** What `/metrics` shows; services add theirs. */
  readonly registry: Registry;
  /** Whose connections are counted, together. */
  readonly pools: readonly Database[];
  readonly access: 'loopback' | 'everyone';
  readonly operator: OperatorAccess;
  readonly health: Health;
};

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const EVENT_LOOP_RESOLUTION_MS = 20;

/** Counts and times every request, and answers `/metrics` in the Prometheus text format. */
export function registerMetrics(
  app: FastifyInstance,
  { registry, pools, access, operator, health }: MetricsOptions,
): void {
  const requests = new Counter({
    name: 'linkoteca_http_requests_total',
    help: 'Requests answered, by service and status.',
    labelNames: ['service', 'method', 'status'] as const,
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'linkoteca_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labelNames: ['service'] as const,
    buckets: SECONDS,
    registers: [registry],
  });
  describeHealth(registry, health);
  describePools(registry, pools);
  describeProcess(registry);
  const stopWatching = describeEventLoop(registry);
  app.addHook('onClose', async () => stopWatching());

  app.addHook('onResponse', (request, reply, done) => {
    const service = findService(request.url) ?? 'web';
    requests.inc({ service, method: request.method, status: reply.statusCode });
    durations.observe({ service }, reply.elapsedTime / 1000);
    done();
  });
  app.get('/metrics', async (request, reply) => {
    if (access === 'loopback' && !operator.isOperator(request)) return reply.callNotFound();
    return reply
      .type(registry.contentType)
      .header('cache-control', 'no-store')
      .send(await registry.metrics());
  });
}

/** Asked of the same conditions as `/health/ready`, so that alerts and load balancers agree. */
function describeHealth(registry: Registry, health: Health): void {
  new Gauge({
    name: 'linkoteca_ready',
    help: 'Whether requests should come here (1) or not (0), by condition of /health/ready.',
    labelNames: ['condition'] as const,
    registers: [registry],
    async collect() {
      for (const [condition, fault] of await health.conditions()) this.set({ condition }, fault ? 0 : 1);
    },
  });
  new Gauge({
    name: 'linkoteca_database_up',
    help: 'Whether the database answers (1) or not (0).',
    registers: [registry],
    async collect() {
      this.set((await health.conditions()).get('database') === 'database' ? 0 : 1);
    },
  });
}

function describePools(registry: Registry, pools: readonly Database[]): void {
  const sum = (measure: (db: Database) => number) => () =>
    pools.reduce((total, db) => total + measure(db), 0);
  addGauge(
    registry,
    'linkoteca_pool_connections',
    'Open connections to the database.',
    sum(({ pool }) => pool.totalCount),
  );
  addGauge(
    registry,
    'linkoteca_pool_idle',
    'Connections nobody uses.',
    sum(({ pool }) => pool.idleCount),
  );
  addGauge(registry, 'linkoteca_pool_waiting', 'Requests that wait for a connection.', sum(countWaiting));
  const waits = new Histogram({
    name: 'linkoteca_pool_wait_seconds',
    help: 'How long those waited who did not get a connection at once, in vain or not.',
    buckets: SECONDS,
    registers: [registry],
  });
  for (const db of pools) watchWaiting(db, (seconds) => waits.observe(seconds));
}

const NANOSECONDS = 1e9;
const QUANTILES = [0.5, 0.99, 1] as const;

/** The kernel of Node measures; each look begins anew. @returns ends it. */
function describeEventLoop(registry: Registry): () => void {
  const delays = monitorEventLoopDelay({ resolution: EVENT_LOOP_RESOLUTION_MS });
  delays.enable();
  new Gauge({
    name: 'linkoteca_event_loop_delay_seconds',
    help: 'How much later than due the process got to its work since the last look, by quantile (1 is the longest).',
    labelNames: ['quantile'] as const,
    registers: [registry],
    collect() {
      for (const quantile of QUANTILES) {
        // What is measured is the time between two ticks.
        const late = delays.percentile(quantile * 100) / NANOSECONDS - EVENT_LOOP_RESOLUTION_MS / 1000;
        this.set({ quantile: String(quantile) }, Math.max(0, late));
      }
      delays.reset();
    },
  });
  return () => delays.disable();
}

function describeProcess(registry: Registry): void {
  addGauge(registry, 'process_resident_memory_bytes', 'Resident memory of this process.', () =>
    process.memoryUsage.rss(),
  );
  addGauge(
    registry,
    'process_heap_used_bytes',
    'Memory in use by JavaScript objects.',
    () => process.memoryUsage().heapUsed,
  );
  addGauge(registry, 'process_cpu_seconds', 'Processor time used so far.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  });
  addGauge(registry, 'process_uptime_seconds', 'Time since the start.', () => process.uptime());
}

/** Measured when somebody looks, so it costs nothing in between. */
function addGauge(registry: Registry, name: string, help: string, measure: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(measure());
    },
  });
}
