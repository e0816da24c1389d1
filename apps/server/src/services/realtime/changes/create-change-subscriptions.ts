import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../../kernel/database.ts';
import type { ChangeFeed, FeedTable } from '../feed/change-feed.ts';
import { createPublicationSource } from './catalogue/create-publication-source.ts';
import { readPublication, readPublicationVersion } from './catalogue/publication.ts';
import type { ChangeSubscriptions } from './change-subscriptions.ts';
import { createRowAccess } from './checks/create-row-access.ts';
import { createRowChecks } from './checks/create-row-checks.ts';
import { createCallerSets } from './checks/policy-list-cache.ts';
import { createChangeLine } from './delivery/change-queue.ts';
import { createChannels } from './delivery/create-channels.ts';
import { createDispatcher } from './delivery/create-dispatcher.ts';
import { createEntryIndex } from './delivery/create-entry-index.ts';
import { openSubscription } from './delivery/open-subscription.ts';
import { createEstablisher } from './delivery/subscription-sync.ts';
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
  const sets = createCallerSets({ db, publications, now });
  const index = createEntryIndex();
  const { dispatch } = createDispatcher(index, { checks, access: createRowAccess(checks, sets, logger) });
  const heardOf = new WeakSet<FeedTable>();
  let stopListening: (() => void) | undefined;
  // While nobody listens to changes nothing is read.
  const channels = createChannels({ index, logger, onFirst: start, onNone: rest });
  const establisher = createEstablisher(source, createRequestPreparer(db), channels);
  const line = createChangeLine({
    ready: establisher.ready,
    prepare: establisher.apply,
    isOutdated: source.isExpired,
    dispatch,
    fail: channels.failAll,
  });

  function start(): void {
    // Whatever happened while nobody listened is not known.
    sets.forgetAll();
    stopListening = feed.listen({
      change(change) {
        const { table } = change;
        // A table that was made or changed is described anew: what was read before may not know it.
        if (!heardOf.has(table)) source.expire();
        heardOf.add(table);
        sets.forget(table.oid);
        if (index.reaches(table.schema, table.name)) line.push(change);
      },
      gap(reason) {
        line.clear();
        sets.forgetAll();
        channels.failAll(new Error(reason));
      },
    });
  }

  function rest(): void {
    stopListening?.();
    stopListening = undefined;
    line.clear();
  }

  return {
    subscribe(subscriber, raw) {
      const parsed = parseChangeRequests(raw);
      if (!parsed.ok) return parsed;
      const deps = { channels, establisher, feed, logger };
      return { ok: true, subscription: openSubscription(deps, subscriber, parsed.requests) };
    },
    stop() {
      for (const channel of [...channels.all]) channels.close(channel);
      rest();
    },
  };
}
