import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../../kernel/database.ts';
import type { ChannelSubscriber } from '../channels/channel-subscriber.ts';
import type { ChangeFeed, FeedTable } from '../feed/change-feed.ts';
import { createPublicationSource } from './catalogue/create-publication-source.ts';
import type { Publication } from './catalogue/published-table.ts';
import { readPublication } from './catalogue/read-publication.ts';
import type { ChangeSubscriptions } from './change-subscriptions.ts';
import { createRowAccess } from './checks/create-row-access.ts';
import { createRowChecks } from './checks/create-row-checks.ts';
import { createChangeLine } from './delivery/create-change-line.ts';
import { createChannelQueue } from './delivery/create-channel-queue.ts';
import { createDispatcher } from './delivery/create-dispatcher.ts';
import { createEntryIndex } from './delivery/create-entry-index.ts';
import type { Entry, ListeningChannel } from './delivery/listening-channel.ts';
import { createViewers } from './delivery/viewer.ts';
import { checkRequest, createRequestPreparer, RefusedRequest } from './requests/create-request-preparer.ts';
import { type ParsedRequest, parseChangeRequest } from './requests/parse-change-request.ts';

export type ChangeSubscriptionsDeps = {
  readonly db: Database;
  readonly feed: ChangeFeed;
  readonly logger: FastifyBaseLogger;
  readonly now: () => Date;
};

const EXTENSION = 'postgres_changes';
const MAX_REQUESTS = 100;
/** So long a channel waits for a feed that is on its way. */
const FEED_PATIENCE_MS = 10_000;
const LOST = 'Changes may have been missed. Please subscribe again and fetch the data anew.';
const UNAVAILABLE = 'Unable to subscribe to changes: the database is not available at the moment.';

/** Tells channels of the rows their callers may see, in the order of the commits (decision 0027). */
export function createChangeSubscriptions({
  db,
  feed,
  logger,
  now,
}: ChangeSubscriptionsDeps): ChangeSubscriptions {
  const source = createPublicationSource(() => readPublication(db), now);
  const checks = createRowChecks(db);
  const index = createEntryIndex();
  const { dispatch } = createDispatcher(index, { checks, access: createRowAccess(checks, logger) });
  const preparer = createRequestPreparer(db);
  const viewers = createViewers();
  const channels = new Set<ListeningChannel>();
  const heardOf = new WeakSet<FeedTable>();
  /** What all entries of the index are prepared for. */
  let applied: Publication | undefined;
  let applying: Promise<Publication> | undefined;
  let lastId = 0;

  const line = createChangeLine({
    ready: () => {
      const fresh = source.fresh();
      return fresh !== undefined && fresh === applied ? fresh : undefined;
    },
    prepare: apply,
    isOutdated: source.isExpired,
    dispatch,
    fail: (error) => failAll(error),
  });
  const stopListening = feed.listen({
    change(change) {
      const { table } = change;
      // A table that was made or changed is described anew: what was read before that may not know it.
      if (!heardOf.has(table)) source.expire();
      heardOf.add(table);
      if (index.reaches(table.schema, table.name)) line.push(change);
    },
    gap(reason) {
      line.clear();
      failAll(new Error(reason));
    },
  });

  /** Brings everything up to what is published now. */
  function apply(): Promise<Publication> {
    applying ??= applyNewest().finally(() => {
      applying = undefined;
    });
    return applying;
  }

  async function applyNewest(): Promise<Publication> {
    const publication = await source.current();
    if (publication === applied) return publication;
    const settled = [...channels].filter(({ entries }) => entries.length > 0);
    await Promise.all(
      settled.map(async (channel) => {
        try {
          replaceEntries(channel, await prepareEntries(channel, publication));
        } catch (error) {
          failChannel(channel, error);
        }
      }),
    );
    applied = publication;
    return publication;
  }

  function prepareEntries(channel: ListeningChannel, publication: Publication): Promise<Entry[]> {
    return Promise.all(
      channel.requests.map(async (request, at) => ({
        id: channel.ids[at] ?? 0,
        channel,
        request,
        filters: await preparer.prepare(request, channel.viewer.caller, publication),
      })),
    );
  }

  function replaceEntries(channel: ListeningChannel, entries: readonly Entry[]): void {
    for (const entry of channel.entries) index.remove(entry);
    channel.entries = channel.isClosed ? [] : entries;
    for (const entry of channel.entries) index.add(entry);
  }

  async function establish(channel: ListeningChannel): Promise<void> {
    for (let isSecond = false; ; isSecond = true) {
      const publication = await apply();
      let entries: readonly Entry[];
      try {
        entries = await prepareEntries(channel, publication);
      } catch (error) {
        // A table that was published, or a right that was granted, just before.
        if (isSecond || !(error instanceof RefusedRequest)) throw error;
        source.expire();
        continue;
      }
      // Meanwhile what is published may have changed, or the channel's role.
      if (publication !== applied) continue;
      for (const request of channel.requests) checkRequest(request, channel.viewer.caller.role, publication);
      replaceEntries(channel, entries);
      break;
    }
    if (!feed.isLive()) await feed.whenLive(FEED_PATIENCE_MS);
  }

  function close(channel: ListeningChannel): void {
    if (channel.isClosed) return;
    channel.isClosed = true;
    channel.queue.clear();
    replaceEntries(channel, []);
    viewers.release(channel.viewer);
    channels.delete(channel);
  }

  function failChannel(channel: ListeningChannel, error: unknown): void {
    if (channel.isClosed) return;
    close(channel);
    channel.subscriber.fail(EXTENSION, error instanceof RefusedRequest ? error.message : LOST);
  }

  function failAll(error: unknown): void {
    logger.warn({ err: error, channels: channels.size }, 'changes were missed: all channels subscribe again');
    for (const channel of [...channels]) failChannel(channel, error);
  }

  function open(subscriber: ChannelSubscriber, requests: readonly ParsedRequest[]): ListeningChannel {
    const channel: ListeningChannel = {
      subscriber,
      requests,
      ids: requests.map(() => ++lastId),
      entries: [],
      viewer: viewers.acquire(subscriber.caller()),
      isClosed: false,
      queue: createChannelQueue({
        send: (text) => {
          if (!channel.isClosed) subscriber.send(EXTENSION, text);
        },
        fail: (error) => {
          logger.warn({ err: error, topic: subscriber.topic }, 'a channel missed changes');
          failChannel(channel, error);
        },
      }),
    };
    channels.add(channel);
    return channel;
  }

  function renew(channel: ListeningChannel): void {
    if (channel.isClosed) return;
    const before = channel.viewer;
    channel.viewer = viewers.acquire(channel.subscriber.caller());
    viewers.release(before);
    if (channel.viewer === before) return;
    const { role } = channel.viewer.caller;
    try {
      if (applied && channel.entries.length > 0)
        for (const request of channel.requests) checkRequest(request, role, applied);
    } catch (error) {
      failChannel(channel, error);
    }
    channel.queue.decideAgain();
  }

  return {
    subscribe(subscriber, requests) {
      if (requests.length > MAX_REQUESTS)
        return { ok: false, reason: `Too many postgres_changes in one channel. Maximum ${MAX_REQUESTS}` };
      const parsed = requests.map(parseChangeRequest);
      const channel = open(
        subscriber,
        parsed.flatMap((one) => (one.ok ? one.request : [])),
      );
      const ready = readyOf(channel, parsed.find((one) => !one.ok)?.reason);
      return {
        ok: true,
        subscription: {
          ids: requests.map((_, at) => channel.ids[at] ?? ++lastId),
          ready,
          renew: () => renew(channel),
          cancel: () => close(channel),
        },
      };
    },
    stop() {
      stopListening();
      line.clear();
      for (const channel of [...channels]) close(channel);
    },
  };

  /** As the original does, a join with a malformed request succeeds, and a system message says what is wrong with it. */
  function readyOf(channel: ListeningChannel, reason: string | undefined): Promise<void> {
    const ready = reason === undefined ? establish(channel) : Promise.reject(new RefusedRequest(reason));
    const settled = ready.catch((error: unknown) => {
      close(channel);
      if (error instanceof RefusedRequest) throw error;
      logger.warn(
        { err: error, topic: channel.subscriber.topic },
        'a channel could not subscribe to changes',
      );
      throw new Error(UNAVAILABLE, { cause: error });
    });
    // Whoever has left in the meantime asks no more.
    settled.catch(() => undefined);
    return settled;
  }
}
