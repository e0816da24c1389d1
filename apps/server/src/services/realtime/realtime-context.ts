import type { Logger } from 'pino';
import type { Keyring } from '../../kernel/keyring.ts';
import type { TopicAccess } from './authorization/create-topic-access.ts';
import type { ChangeSubscriptions } from './changes/change-subscriptions.ts';
import type { ExpiryClock } from './channels/create-expiry-clock.ts';
import type { Topics } from './channels/create-topics.ts';
import type { PolicyWatch } from './channels/policy-watch.ts';
import type { SessionWatch } from './channels/session-watch.ts';
import type { ClusterBus } from './cluster/cluster-bus.ts';
import type { ChangeFeed } from './feed/change-feed.ts';
import type { PresenceRegister } from './presence/create-presence-register.ts';
import type { SocketCounters, SocketLimits } from './sockets/socket-limits.ts';
import type { SocketPlaces } from './sockets/socket-places.ts';

/** What every part of the service needs, made once at the start. */
export type RealtimeContext = {
  readonly keyring: Keyring;
  readonly now: () => Date;
  readonly logger: Logger;
  readonly limits: SocketLimits;
  readonly places: SocketPlaces;
  /** Whether to believe `X-Forwarded-For`. */
  readonly trustProxy: boolean;
  readonly feed: Pick<ChangeFeed, 'whenLive'>;
  readonly access: TopicAccess;
  readonly changes: Pick<ChangeSubscriptions, 'subscribe'>;
  readonly bus: Pick<ClusterBus, 'copyId' | 'publish'>;
  readonly topics: Topics;
  readonly presence: PresenceRegister;
  readonly expiry: ExpiryClock;
  readonly sessions: SessionWatch;
  readonly policies: PolicyWatch;
  readonly counters: SocketCounters;
  /** Numbers a channel: never twice in this process, never 0. */
  readonly nextId: () => number;
};
