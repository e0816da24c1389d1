import type pg from 'pg';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Database } from '../../kernel/database.ts';
import { listEndedCallers } from '../../kernel/is-account-open.ts';
import { createTopicAccess } from './authorization/create-topic-access.ts';
import { listenToPolicySources } from './authorization/listen-to-policy-sources.ts';
import { createChangeSubscriptions } from './changes/create-change-subscriptions.ts';
import { createClusterBus } from './cluster/create-cluster-bus.ts';
import type { RealtimeServiceDeps } from './create-realtime-service.ts';
import { createChangeFeed } from './feed/create-change-feed.ts';
import type { StoredMessage } from './messages/stored-message.ts';
import { listenToStoredMessages, scheduleMessagePartitions } from './messages/stored-messages.ts';
import { registerFeedMetrics } from './realtime-metrics.ts';

export type RealtimePartsDeps = {
  readonly db: Database;
  /** How the change feed logs in. */
  readonly replication: pg.ClientConfig;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly metrics: Registry;
};

export type RealtimeParts = Pick<
  RealtimeServiceDeps,
  'feed' | 'access' | 'listEnded' | 'changes' | 'bus' | 'listenToStored' | 'listenToPolicySources'
> & {
  /** Says goodbye to the other copies and closes what is connected. */
  stop(): Promise<void>;
};

/** The product's tables, what `realtime.send` stores, and what only policies read. */
const PUBLICATIONS = [
  'supabase_realtime',
  'supabase_realtime_messages_publication',
  'linkoteca_policy_sources',
];

/**
 * The parts behind the channels: the database's log, who sees which row, policies, and the other copies. None of them
 * keeps the server from starting: what is out of reach is tried again, and told to whoever asks for it.
 */
export function openRealtimeParts({
  db,
  replication,
  logger,
  now,
  metrics,
}: RealtimePartsDeps): RealtimeParts {
  const feed = createChangeFeed({ connection: replication, publications: PUBLICATIONS, db, logger, now });
  registerFeedMetrics(metrics, feed.figures);
  const changes = createChangeSubscriptions({
    db,
    feed,
    publications: PUBLICATIONS,
    logger,
    now,
  });
  const bus = createClusterBus({ db, feed, logger, now });
  const stopPartitions = scheduleMessagePartitions(db, logger);
  return {
    feed,
    bus,
    changes,
    access: createTopicAccess({ db, logger }),
    listEnded: (callers) => listEndedCallers(db, callers),
    listenToStored: (onMessage: (message: StoredMessage) => void) =>
      listenToStoredMessages({ feed, db, logger, now }, onMessage),
    listenToPolicySources: (onChange) =>
      listenToPolicySources({ feed, db, publications: PUBLICATIONS, logger, now }, onChange),
    async stop() {
      stopPartitions();
      changes.stop();
      await bus.stop();
      await feed.stop();
    },
  };
}
