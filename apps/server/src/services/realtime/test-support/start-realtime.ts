import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { createLogger } from '../../../kernel/create-logger.ts';
import { createKeyring, type Keyring } from '../../../kernel/keyring.ts';
import type { TopicAccess } from '../authorization/create-topic-access.ts';
import type { ChangedValues } from '../authorization/listen-to-policy-sources.ts';
import type { ChangeSubscriptions } from '../changes/change-subscriptions.ts';
import type { SessionWatchDeps } from '../channels/session-watch.ts';
import type { ClusterBus, ClusterListener, PeerMessage } from '../cluster/cluster-bus.ts';
import { createRealtimeService } from '../create-realtime-service.ts';
import type { StoredMessage } from '../messages/stored-message.ts';
import type { SocketLimits } from '../sockets/socket-limits.ts';

/** What is behind the channels, for a test to direct. */
export type Backstage = {
  readonly access: { -readonly [Name in keyof TopicAccess]: TopicAccess[Name] };
  /** Those of the callers whose session is over. */
  listEnded: SessionWatchDeps['listEnded'];
  readonly changes: { subscribe: ChangeSubscriptions['subscribe'] };
  whenLive: () => Promise<void>;
  store: (message: StoredMessage) => void;
  /** Tells of rows that policies are made from. */
  changePolicySources: (values: ChangedValues) => void;
  readonly copies: { readonly listeners: ClusterListener[]; readonly published: PeerMessage[] };
};

export type StartedRealtime = Backstage & {
  readonly app: FastifyInstance;
  readonly keyring: Keyring;
  readonly metrics: Registry;
  /** `http://127.0.0.1:PORT/realtime/v1`. */
  readonly url: string;
  readonly port: number;
  /** A person's token. @param seconds until it expires. */
  signIn(sub: string, seconds?: number): Promise<string>;
};

export type StartRealtimeOptions = {
  readonly limits?: Partial<SocketLimits>;
  /** Joins two started services as copies of one: what one publishes, the other receives. */
  readonly copyOf?: StartedRealtime;
  readonly copyId?: string;
  readonly trustProxy?: boolean;
  /** Tells when tokens expire; the real time when missing. */
  readonly now?: () => Date;
};

/** Allows everything in private channels, remembers nothing, and has no database. */
export async function startRealtime(options: StartRealtimeOptions = {}): Promise<StartedRealtime> {
  const keyring = await createKeyring({ secrets: ['a secret that only the tests of realtime use'] });
  const metrics = new Registry();
  const backstage = createBackstage();
  const { copyId = crypto.randomUUID(), copyOf, now = () => new Date() } = options;
  const app = fastify({ logger: false, bodyLimit: 1_000_000 });
  await app.register(
    createRealtimeService({
      keyring,
      now,
      trustProxy: options.trustProxy ?? false,
      logger: createLogger('silent'),
      metrics,
      feed: { whenLive: () => backstage.whenLive() },
      access: {
        canRead: (...question) => backstage.access.canRead(...question),
        canWrite: (...question) => backstage.access.canWrite(...question),
        replay: (...question) => backstage.access.replay(...question),
      },
      listEnded: (callers) => backstage.listEnded(callers),
      changes: { subscribe: (...request) => backstage.changes.subscribe(...request) },
      bus: createBus(backstage, copyId, copyOf),
      listenToStored: (onMessage) => {
        backstage.store = onMessage;
        return () => undefined;
      },
      listenToPolicySources: (onChange) => {
        backstage.changePolicySources = onChange;
        return () => undefined;
      },
      ...(options.limits && { limits: options.limits }),
    }),
    { prefix: '/realtime/v1' },
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return Object.assign(backstage, {
    app,
    keyring,
    metrics,
    port,
    url: `http://127.0.0.1:${port}/realtime/v1`,
    signIn: (sub: string, seconds = 3_600) =>
      keyring.signAccessToken({ sub, role: 'authenticated', exp: now().getTime() / 1000 + seconds }),
  });
}

function createBackstage(): Backstage {
  return {
    access: {
      canRead: async () => ({ broadcast: true, presence: true }),
      canWrite: async () => true,
      replay: async () => [],
    },
    listEnded: async () => new Set(),
    changes: { subscribe: () => ({ ok: false, reason: 'no changes in this test' }) },
    whenLive: async () => undefined,
    store: () => undefined,
    changePolicySources: () => undefined,
    copies: { listeners: [], published: [] },
  };
}

/** Hands on at once what a real bus sends through the database, as JSON, so that nothing else gets across. */
function createBus(
  { copies }: Backstage,
  copyId: string,
  other: StartedRealtime | undefined,
): Pick<ClusterBus, 'copyId' | 'publish' | 'listen'> {
  return {
    copyId,
    publish(message) {
      copies.published.push(message);
      const sent = JSON.parse(JSON.stringify(message)) as PeerMessage;
      for (const listener of other?.copies.listeners ?? []) listener.message?.(copyId, sent);
    },
    listen(listener) {
      copies.listeners.push(listener);
      return () => copies.listeners.splice(copies.listeners.indexOf(listener), 1);
    },
  };
}
