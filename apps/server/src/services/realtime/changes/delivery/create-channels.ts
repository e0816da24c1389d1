import type { FastifyBaseLogger } from 'fastify';
import type { ChannelSubscriber } from '../change-subscriptions.ts';
import { RefusedRequest } from '../requests/create-request-preparer.ts';
import type { ParsedRequest } from '../requests/parse-change-requests.ts';
import type { EntryIndex } from './create-entry-index.ts';
import { createChannelQueue, type Entry, type ListeningChannel } from './listening-channel.ts';
import { createViewers } from './viewer.ts';

/** The channels that listen to changes, and what they are registered for. */
export type Channels = {
  readonly all: ReadonlySet<ListeningChannel>;
  /** @param ids those of an earlier try of the same channel. */
  open(
    subscriber: ChannelSubscriber,
    requests: readonly ParsedRequest[],
    ids?: readonly number[],
  ): ListeningChannel;
  /** Puts these entries into the index, in the place of the channel's former ones. */
  register(channel: ListeningChannel, entries: readonly Entry[]): void;
  /** Takes the subscriber's present caller. @returns whether it is another one. */
  renew(channel: ListeningChannel): boolean;
  close(channel: ListeningChannel): void;
  /** Ends the channel with a message to its client, which then joins again. */
  fail(channel: ListeningChannel, error: unknown): void;
  failAll(error: unknown): void;
};

export type ChannelsOptions = {
  readonly index: EntryIndex;
  readonly logger: FastifyBaseLogger;
  onFirst(): void;
  onNone(): void;
};

const EXTENSION = 'postgres_changes';
const LOST = 'Changes may have been missed. Please subscribe again and fetch the data anew.';

export function createChannels({ index, logger, onFirst, onNone }: ChannelsOptions): Channels {
  const all = new Set<ListeningChannel>();
  const viewers = createViewers();
  const backlog = { waiting: 0 };
  let lastId = 0;

  function register(channel: ListeningChannel, entries: readonly Entry[]): void {
    for (const entry of channel.entries) index.remove(entry);
    channel.entries = channel.isClosed ? [] : entries;
    for (const entry of channel.entries) index.add(entry);
  }

  function close(channel: ListeningChannel): void {
    if (channel.isClosed) return;
    channel.isClosed = true;
    channel.queue.clear();
    register(channel, []);
    viewers.release(channel.viewer);
    all.delete(channel);
    if (all.size === 0) onNone();
  }

  function fail(channel: ListeningChannel, error: unknown): void {
    if (channel.isClosed) return;
    close(channel);
    channel.subscriber.fail(EXTENSION, error instanceof RefusedRequest ? error.message : LOST);
  }

  return {
    all,
    register,
    close,
    fail,
    open(subscriber, requests, ids = requests.map(() => ++lastId)) {
      const channel: ListeningChannel = {
        subscriber,
        requests,
        ids,
        entries: [],
        viewer: viewers.acquire(subscriber.caller()),
        isClosed: false,
        queue: createChannelQueue({
          backlog,
          send: (text) => {
            if (!channel.isClosed) subscriber.send(EXTENSION, text);
          },
          fail: (error) => {
            logger.warn({ err: error, topic: subscriber.topic }, 'a channel missed changes');
            fail(channel, error);
          },
        }),
      };
      all.add(channel);
      if (all.size === 1) onFirst();
      return channel;
    },
    renew(channel) {
      if (channel.isClosed) return false;
      const before = channel.viewer;
      channel.viewer = viewers.acquire(channel.subscriber.caller());
      viewers.release(before);
      return channel.viewer !== before;
    },
    failAll(error) {
      logger.warn({ err: error, channels: all.size }, 'changes were missed: all channels subscribe again');
      for (const channel of [...all]) fail(channel, error);
    },
  };
}
