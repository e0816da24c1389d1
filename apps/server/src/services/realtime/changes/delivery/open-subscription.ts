import type { FastifyBaseLogger } from 'fastify';
import type { Caller } from '../../../../kernel/caller-context.ts';
import type { ChangeFeed } from '../../feed/change-feed.ts';
import type { ChangeSubscription, ChannelSubscriber } from '../change-subscriptions.ts';
import { RefusedRequest } from '../requests/create-request-preparer.ts';
import type { ParsedRequest } from '../requests/parse-change-requests.ts';
import type { Channels } from './create-channels.ts';
import type { ListeningChannel } from './listening-channel.ts';
import type { SubscriptionSync } from './subscription-sync.ts';

export type OpenSubscriptionDeps = {
  readonly channels: Channels;
  readonly sync: SubscriptionSync;
  readonly feed: ChangeFeed;
  readonly logger: FastifyBaseLogger;
};

/** So long a channel waits for a feed that is on its way. */
const FEED_PATIENCE_MS = 10_000;
const UNAVAILABLE = 'Unable to subscribe to changes: the database is not available at the moment.';

/** One try to subscribe, and what became of it. */
type Attempt = {
  readonly channel: ListeningChannel;
  readonly caller: Caller;
  readonly ready: Promise<void>;
  fault: 'none' | 'refused' | 'unavailable';
};

/** Registers a channel's requests, and again when that has failed and may succeed now. */
export function openSubscription(
  { channels, sync, feed, logger }: OpenSubscriptionDeps,
  subscriber: ChannelSubscriber,
  requests: readonly ParsedRequest[],
): ChangeSubscription {
  let attempt = start(channels.open(subscriber, requests));
  const { ids } = attempt.channel;
  let isCancelled = false;

  function start(channel: ListeningChannel): Attempt {
    const ready = register(channel).catch((error: unknown) => {
      channels.close(channel);
      const isRefused = error instanceof RefusedRequest;
      started.fault = isRefused ? 'refused' : 'unavailable';
      if (isRefused) throw error;
      logger.warn({ err: error, topic: subscriber.topic }, 'a channel could not subscribe to changes');
      throw new Error(UNAVAILABLE, { cause: error });
    });
    // Whoever has left in the meantime asks no more.
    ready.catch(() => undefined);
    const started: Attempt = { channel, caller: subscriber.caller(), ready, fault: 'none' };
    return started;
  }

  async function register(channel: ListeningChannel): Promise<void> {
    await sync.register(channel);
    if (!feed.isLive()) await feed.whenLive(FEED_PATIENCE_MS);
  }

  return {
    ids,
    ready: attempt.ready,
    retry() {
      if (isCancelled || attempt.fault === 'none') return attempt.ready;
      // Refused once, the same caller is refused again.
      if (attempt.fault === 'refused' && subscriber.caller() === attempt.caller) return undefined;
      attempt = start(channels.open(subscriber, requests, ids));
      return attempt.ready;
    },
    renew() {
      const { channel } = attempt;
      if (!channels.renew(channel)) return;
      sync.recheck(channel);
      channel.queue.decideAgain();
    },
    cancel() {
      isCancelled = true;
      channels.close(attempt.channel);
    },
  };
}
