import type { FastifyPluginAsync } from 'fastify';
import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Keyring } from '../../kernel/keyring.ts';
import type { StoredMessage, TopicAccess } from './authorization/topic-access.ts';
import { readPublishedBroadcast } from './broadcast/publish-broadcast.ts';
import { toStoredBroadcast } from './broadcast/to-stored-broadcast.ts';
import type { ChangeSubscriptions } from './changes/change-subscriptions.ts';
import { createExpiryClock } from './channels/create-expiry-clock.ts';
import { createTopics } from './channels/create-topics.ts';
import { createSessionWatch, type SessionWatchDeps } from './channels/watch-sessions.ts';
import type { CopyBus } from './cluster/cluster-bus.ts';
import type { ChangeFeed } from './feed/change-feed.ts';
import { registerErrors } from './http/realtime-error.ts';
import { registerBroadcastRoutes } from './http/register-broadcast-routes.ts';
import { createPresenceRegister } from './presence/create-presence-register.ts';
import { publishPresence, sharePresences, tellPresence } from './presence/share-presences.ts';
import type { RealtimeContext } from './realtime-context.ts';
import { acceptSockets, type Sockets } from './sockets/accept-sockets.ts';
import { createSocketCounters, SOCKET_LIMITS, type SocketLimits } from './sockets/socket-limits.ts';
import { createSocketPlaces } from './sockets/socket-places.ts';

export type RealtimeServiceDeps = {
  readonly keyring: Keyring;
  readonly now: () => Date;
  readonly logger: Logger;
  readonly feed: Pick<ChangeFeed, 'whenLive'>;
  readonly access: TopicAccess;
  readonly listEnded: SessionWatchDeps['listEnded'];
  readonly changes: Pick<ChangeSubscriptions, 'subscribe'>;
  readonly bus: Pick<CopyBus, 'copyId' | 'publish' | 'listen'>;
  /** Hears what is stored in `realtime.messages`, on every copy alike. @returns the way to stop. */
  readonly hearStored: (onMessage: (message: StoredMessage) => void) => () => void;
  /** Whether to believe `X-Forwarded-For`. */
  readonly trustProxy: boolean;
  readonly metrics?: Registry;
  readonly limits?: Partial<SocketLimits>;
};

/** The hosted platform's live channels (`realtime/v1`, protocol note, section 3): register the result under that prefix. */
export function createRealtimeService(deps: RealtimeServiceDeps): FastifyPluginAsync {
  return async (app) => {
    const context = createContext(deps);
    registerErrors(app);
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    registerBroadcastRoutes(app, context);
    app.get('/api/ping', async () => ({ message: 'Success' }));
    const path = `${app.prefix}/websocket`;
    app.get('/websocket', async (_request, reply) =>
      reply.code(426).header('upgrade', 'websocket').send({ error: 'This address takes WebSockets only' }),
    );
    const sockets = acceptSockets(context, app.server, path);
    const stops = [hearCopies(context, deps.bus), hearStored(context, deps)];
    if (deps.metrics) registerRealtimeMetrics(deps.metrics, context, sockets);
    // Before the HTTP server waits for its connections: it would wait for these for ever.
    app.addHook('preClose', async () => {
      await sockets.stop();
      for (const stop of stops) stop();
      context.expiry.stop();
      context.sessions.stop();
      context.presence.stop();
    });
  };
}

function createContext(deps: RealtimeServiceDeps): RealtimeContext {
  const { keyring, now, logger, feed, access, changes, bus, trustProxy } = deps;
  const limits = { ...SOCKET_LIMITS, ...deps.limits };
  const topics = createTopics();
  const presence = createPresenceRegister((diff) => {
    tellPresence(topics, diff);
    publishPresence(bus, diff);
  });
  let lastId = 0;
  const nextId = () => {
    lastId += 1;
    return lastId;
  };
  return {
    keyring,
    now,
    logger,
    feed,
    access,
    changes,
    bus,
    topics,
    presence,
    expiry: createExpiryClock(topics, now),
    sessions: createSessionWatch({ topics, listEnded: deps.listEnded, logger }),
    counters: createSocketCounters(),
    limits,
    places: createSocketPlaces(limits, () => now().getTime()),
    trustProxy,
    nextId,
  };
}

/** What the other copies' clients say and who of them is there. */
function hearCopies({ topics, presence }: RealtimeContext, bus: RealtimeServiceDeps['bus']): () => void {
  const presences = sharePresences(bus, presence);
  return bus.listen({
    ...presences,
    message(from, message) {
      const broadcast = readPublishedBroadcast(message);
      if (broadcast) topics.deliver(broadcast);
      else presences.message(from, message);
    },
  });
}

/** Each copy reads the database's log itself, so a stored message goes to this copy's sockets alone. */
function hearStored({ topics }: RealtimeContext, deps: RealtimeServiceDeps): () => void {
  return deps.hearStored((stored) => topics.deliver(toStoredBroadcast(stored)));
}

/** What an operator looks at: who is connected, what goes out, who was cut off. Measured when somebody asks. */
function registerRealtimeMetrics(
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
