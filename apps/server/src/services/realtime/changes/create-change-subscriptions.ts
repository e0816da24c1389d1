import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../../kernel/database.ts';
import type { ChangeFeed, FeedTable } from '../feed/change-feed.ts';
import { createRowAccess } from './access/create-row-access.ts';
import { createRowChecks } from './access/create-row-checks.ts';
import { createPolicyListCache } from './access/policy-list-cache.ts';
import { createPublicationSource } from './catalogue/create-publication-source.ts';
import { readPublication, readPublicationVersion } from './catalogue/publication.ts';
import type { ChangeSubscriptions } from './change-subscriptions.ts';
import { createChangeQueue } from './delivery/change-queue.ts';
import { createChannels } from './delivery/create-channels.ts';
import { createDispatcher } from './delivery/create-dispatcher.ts';
import { createEntryIndex } from './delivery/create-entry-index.ts';
import { openSubscription } from './delivery/open-subscription.ts';
import { createSubscriptionSync } from './delivery/subscription-sync.ts';
import { createRequestPreparer } from './requests/create-request-preparer.ts';
import { parseChangeRequests } from './requests/parse-change-requests.ts';

export type ChangeSubscriptionsDeps = {
  readonly db: Database;
  readonly feed: ChangeFeed;
  /** What the feed reads. */
  readonly publications: readonly string[];
  readonly logger: FastifyBaseLogger;
  readonly now: () => Date;
};

/** Tells channels of the rows their callers may see, in the order of the commits (decision 0027). */
export function createChangeSubscriptions({
  db,
  feed,
  publications,
  logger,
  now,
}: ChangeSubscriptionsDeps): ChangeSubscriptions {
  const source = createPublicationSource(
    { read: () => readPublication(db), readVersion: () => readPublicationVersion(db) },
    now,
  );
  const checks = createRowChecks(db);
  const lists = createPolicyListCache({ db, publications, now });
  const index = createEntryIndex();
  const { dispatch } = createDispatcher(index, { checks, access: createRowAccess(checks, lists, logger) });
  const knownTables = new WeakSet<FeedTable>();
  let stopListening: (() => void) | undefined;
  // While nobody listens to changes nothing is read.
  const channels = createChannels({ index, logger, onFirst: start, onNone: rest });
  const sync = createSubscriptionSync(source, createRequestPreparer(db), channels);
  const queue = createChangeQueue({
    ready: sync.ready,
    prepare: sync.apply,
    isOutdated: source.isExpired,
    dispatch,
    fail: channels.failAll,
  });

  function start(): void {
    // Whatever happened while nobody listened is not known.
    lists.forgetAll();
    stopListening = feed.listen({
      change(change) {
        const { table } = change;
        // A table that was made or changed is described anew: what was read before may not know it.
        if (!knownTables.has(table)) source.expire();
        knownTables.add(table);
        lists.forget(table.oid);
        if (index.reaches(table.schema, table.name)) queue.push(change);
      },
      gap(reason) {
        queue.clear();
        lists.forgetAll();
        channels.failAll(new Error(reason));
      },
    });
  }

  function rest(): void {
    stopListening?.();
    stopListening = undefined;
    queue.clear();
  }

  return {
    subscribe(subscriber, raw) {
      const parsed = parseChangeRequests(raw);
      if (!parsed.ok) return parsed;
      const deps = { channels, sync, feed, logger };
      return { ok: true, subscription: openSubscription(deps, subscriber, parsed.requests) };
    },
    stop() {
      for (const channel of [...channels.all]) channels.close(channel);
      rest();
    },
  };
}
