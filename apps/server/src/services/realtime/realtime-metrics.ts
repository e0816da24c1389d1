import { Counter, Gauge, type Registry } from 'prom-client';
import type { FeedFigures } from './feed/change-feed.ts';
import type { RealtimeContext } from './realtime-context.ts';
import type { Sockets } from './sockets/accept-sockets.ts';

/** What an operator looks at: who is connected, what goes out, who was cut off. Measured when somebody asks. */
export function registerRealtimeMetrics(
  registry: Registry,
  { topics, presence, counters }: RealtimeContext,
  sockets: Sockets,
): void {
  addGauge(registry, 'linkoteca_realtime_sockets', 'Open sockets.', () => sockets.size);
  addGauge(registry, 'linkoteca_realtime_channels', 'Joined channels.', () => topics.size);
  addGauge(
    registry,
    'linkoteca_realtime_presences',
    'Presences known, other copies included.',
    () => presence.size,
  );
  addCounter(
    registry,
    'linkoteca_realtime_messages_sent_total',
    'Messages sent to sockets.',
    () => counters.messagesSent,
  );
  addCounter(
    registry,
    'linkoteca_realtime_messages_received_total',
    'Messages received from sockets.',
    () => counters.messagesReceived,
  );
  addCounter(
    registry,
    'linkoteca_realtime_malformed_total',
    'Sockets closed for a message that was none.',
    () => counters.malformed,
  );
  addCounter(
    registry,
    'linkoteca_realtime_handshakes_refused_total',
    'Sockets refused at the handshake.',
    () => counters.refusedHandshakes,
  );
  addCutOff(registry, counters);
}

function addCutOff(registry: Registry, { cutOff }: RealtimeContext['counters']): void {
  new Counter({
    name: 'linkoteca_realtime_cut_off_total',
    help: 'Sockets cut off: too much unsent (backlog), nothing taken (stall), nothing heard (silence), no room left (crowd).',
    labelNames: ['reason'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(cutOff)) this.inc({ reason }, count);
    },
  });
}

/** Shows how the change feed fares at `/metrics`. Measured when somebody looks. */
export function registerFeedMetrics(registry: Registry, figures: () => FeedFigures): void {
  const gauge = (name: string, help: string, measure: (now: FeedFigures) => number) =>
    addGauge(registry, `linkoteca_realtime_feed_${name}`, help, () => measure(figures()));
  const counter = (name: string, help: string, count: (now: FeedFigures) => number) =>
    addCounter(registry, `linkoteca_realtime_feed_${name}_total`, help, () => count(figures()));

  gauge('live', 'Whether changes of the database are heard (1) or not (0).', ({ live }) => (live ? 1 : 0));
  gauge('lag_seconds', 'From the last commit heard until it was heard.', ({ lagMs }) => lagMs / 1000);
  gauge('lag_bytes', 'Log written and not yet read, as last looked at.', ({ lagBytes }) => lagBytes);
  counter('commits', 'Transactions heard.', ({ commits }) => commits);
  counter('changes', 'Changes of rows heard.', ({ changes }) => changes);
  counter('messages', 'Messages of other copies heard.', ({ messages }) => messages);
  counter('gaps', 'Times that changes may have been missed.', ({ gaps }) => gaps);
  counter('connections', 'Connections to the log.', ({ connections }) => connections);
}

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

/** Counted on the way as a plain number: the hot path has nothing to do with the metrics' own objects. */
function addCounter(registry: Registry, name: string, help: string, measure: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(measure());
    },
  });
}
