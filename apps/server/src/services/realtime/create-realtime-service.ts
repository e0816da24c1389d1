import type { FastifyPluginAsync } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Keyring } from '../../kernel/keyring.ts';
import type { TopicAccess } from './authorization/create-topic-access.ts';
import type { ChangedValues } from './authorization/listen-to-policy-sources.ts';
import { toStoredBroadcast } from './broadcast/broadcast-message.ts';
import { readPublishedBroadcast } from './broadcast/publish-broadcast.ts';
import type { ChangeSubscriptions } from './changes/change-subscriptions.ts';
import { createExpiryClock } from './channels/create-expiry-clock.ts';
import { createTopics } from './channels/create-topics.ts';
import { createPolicyWatch } from './channels/policy-watch.ts';
import { createSessionWatch, type SessionWatchDeps } from './channels/session-watch.ts';
import type { ClusterBus } from './cluster/cluster-bus.ts';
import type { ChangeFeed } from './feed/change-feed.ts';
import { registerErrors } from './http/realtime-error.ts';
import { registerBroadcastRoutes } from './http/register-broadcast-routes.ts';
import type { StoredMessage } from './messages/stored-message.ts';
import { createPresenceRegister } from './presence/create-presence-register.ts';
import { publishPresence, sendPresenceDiff, sharePresences } from './presence/share-presences.ts';
import { askPoliciesAgain } from './protocol/ask-policies-again.ts';
import { handleFrame } from './protocol/handle-frame.ts';
import type { RealtimeContext } from './realtime-context.ts';
import { registerRealtimeMetrics } from './realtime-metrics.ts';
import { acceptSockets } from './sockets/accept-sockets.ts';
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
  readonly bus: Pick<ClusterBus, 'copyId' | 'publish' | 'listen'>;
  /** Receives what is stored in `realtime.messages`, on every copy alike. @returns the way to stop. */
  readonly listenToStored: (onMessage: (message: StoredMessage) => void) => () => void;
  /** Tells of rows that policies of private channels are made from. @returns the way to stop. */
  readonly listenToPolicySources: (onChange: (values: ChangedValues) => void) => () => void;
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
    const sockets = acceptSockets(context, { server: app.server, path, onFrame: handleFrame });
    const stops = [
      listenToPeers(context, deps.bus),
      listenToStored(context, deps),
      deps.listenToPolicySources(context.policies.changed),
    ];
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
    sendPresenceDiff(topics, diff);
    publishPresence(bus, diff);
  });
  let lastId = 0;
  const nextId = () => {
    lastId += 1;
    return lastId;
  };
  const context: RealtimeContext = {
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
    policies: createPolicyWatch((channel) => askPoliciesAgain(context, channel)),
    counters: createSocketCounters(),
    limits,
    places: createSocketPlaces(limits, () => now().getTime()),
    trustProxy,
    nextId,
  };
  return context;
}

/** What the other copies' clients say and who of them is there. */
function listenToPeers({ topics, presence }: RealtimeContext, bus: RealtimeServiceDeps['bus']): () => void {
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
function listenToStored({ topics }: RealtimeContext, deps: RealtimeServiceDeps): () => void {
  return deps.listenToStored((stored) => topics.deliver(toStoredBroadcast(stored)));
}
