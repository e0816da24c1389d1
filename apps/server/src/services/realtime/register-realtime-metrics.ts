import { Counter, Gauge, type Registry } from 'prom-client';
import type { RealtimeContext } from './realtime-context.ts';
import type { Sockets } from './sockets/accept-sockets.ts';

/** What an operator looks at: who is connected, what goes out, who was cut off. Measured when somebody asks. */
export function registerRealtimeMetrics(
  registry: Registry,
  { topics, presence, counters }: RealtimeContext,
  sockets: Sockets,
): void {
  add(registry, 'linkoteca_realtime_sockets', 'Open sockets.', () => sockets.size);
  add(registry, 'linkoteca_realtime_channels', 'Joined channels.', () => topics.size);
  add(
    registry,
    'linkoteca_realtime_presences',
    'Presences known, other copies included.',
    () => presence.size,
  );
  addTotal(
    registry,
    'linkoteca_realtime_messages_sent_total',
    'Messages sent to sockets.',
    () => counters.messagesSent,
  );
  addTotal(
    registry,
    'linkoteca_realtime_messages_received_total',
    'Messages received from sockets.',
    () => counters.messagesReceived,
  );
  addTotal(
    registry,
    'linkoteca_realtime_malformed_total',
    'Sockets closed for a message that was none.',
    () => counters.malformed,
  );
  addTotal(
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

function add(registry: Registry, name: string, help: string, measure: () => number): void {
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
function addTotal(registry: Registry, name: string, help: string, measure: () => number): void {
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
