import type { ChannelSubscriber } from '../../channels/channel-subscriber.ts';
import type { RowFilter } from '../filters/row-filter.ts';
import type { ParsedRequest } from '../requests/parse-change-requests.ts';
import type { ChannelQueue } from './create-channel-queue.ts';
import type { Viewer } from './viewer.ts';

/** A channel that listens to changes. */
export type ListeningChannel = {
  readonly subscriber: ChannelSubscriber;
  readonly queue: ChannelQueue;
  readonly requests: readonly ParsedRequest[];
  readonly ids: readonly number[];
  /** Empty until the requests have been found good. */
  entries: readonly Entry[];
  viewer: Viewer;
  isClosed: boolean;
};

/** One of a channel's subscriptions. */
export type Entry = {
  readonly id: number;
  readonly channel: ListeningChannel;
  readonly request: ParsedRequest;
  /** The request's filters, ready for each table it reaches, by the table's oid. */
  readonly filters: ReadonlyMap<number, readonly RowFilter[]>;
};
