import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { countWaiting, type Database } from '../database.ts';
import { findService } from './find-service.ts';
import type { OperatorAccess } from './operator-access.ts';

export type MetricsOptions = {
  /** What `/metrics` shows; services add theirs. */
  readonly registry: Registry;
  /** Whose connections are counted, together. */
  readonly pools: readonly Database[];
  readonly access: 'loopback' | 'everyone';
  readonly operator: OperatorAccess;
  readonly isDatabaseUp: () => boolean;
};

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts and times every request, and answers `/metrics` in the Prometheus text format. */
export function registerMetrics(
  app: FastifyInstance,
  { registry, pools, access, operator, isDatabaseUp }: MetricsOptions,
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
  describePools(registry, pools, isDatabaseUp);
  describeProcess(registry);

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

function describePools(registry: Registry, pools: readonly Database[], isDatabaseUp: () => boolean): void {
  const sum = (measure: (db: Database) => number) => () =>
    pools.reduce((total, db) => total + measure(db), 0);
  addGauge(
    registry,
    'linkoteca_database_up',
    'Whether the database accepts connections (1) or not (0).',
    () => (isDatabaseUp() ? 1 : 0),
  );
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
