import type { ChannelSubscriber } from '../change-subscriptions.ts';
import type { ParsedRequest } from '../requests/parse-change-requests.ts';
import type { RowFilter } from '../requests/prepare-filter.ts';
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

/** Texts to send, now or as soon as the database has answered. */
export type Messages = readonly string[];
export type Decision = Messages | Promise<Messages>;

/** Sends one channel's messages in the order in which their changes came, however long each decision takes. */
export type ChannelQueue = {
  /** @param decide is called at once, and again when the channel's caller changes before the messages have gone. */
  push(decide: () => Decision): void;
  /** Decides what has not gone yet anew: by the rights of a new caller. */
  decideAgain(): void;
  /** Nothing waits. */
  isEmpty(): boolean;
  clear(): void;
};

export type ChannelQueueOptions = {
  send(text: string): void;
  /** A decision could not be had, or too many are waiting. */
  fail(error: unknown): void;
  /** Counts what waits in all channels together. */
  readonly backlog: { waiting: number };
};

/** A channel with this many open decisions is so far behind that its client does better to fetch anew. */
const MAX_WAITING = 5_000;
/** Of all channels: a decision that waits holds its change in memory. */
const MAX_WAITING_ALTOGETHER = 200_000;

type Waiting = { readonly decide: () => Decision; messages: Messages | undefined; round: number };

export function createChannelQueue({ send, fail, backlog }: ChannelQueueOptions): ChannelQueue {
  let waiting: Waiting[] = [];
  let isDraining = false;

  function start(one: Waiting): void {
    one.round += 1;
    one.messages = undefined;
    const { round } = one;
    const decision = one.decide();
    if (!(decision instanceof Promise)) {
      one.messages = decision;
      return;
    }
    decision.then(
      (messages) => {
        if (one.round !== round) return;
        one.messages = messages;
        drain();
      },
      (error: unknown) => {
        if (one.round === round && waiting.includes(one)) fail(error);
      },
    );
  }

  function drain(): void {
    // A send may end the channel, or another message may come of it.
    if (isDraining) return;
    isDraining = true;
    try {
      while (waiting[0]?.messages !== undefined) {
        const messages = waiting.shift()?.messages ?? [];
        backlog.waiting -= 1;
        for (const text of messages) send(text);
      }
    } finally {
      isDraining = false;
    }
  }

  return {
    push(decide) {
      const one: Waiting = { decide, messages: undefined, round: 0 };
      start(one);
      if (waiting.length === 0 && one.messages !== undefined && !isDraining) {
        for (const text of one.messages) send(text);
        return;
      }
      waiting.push(one);
      backlog.waiting += 1;
      if (waiting.length > MAX_WAITING || backlog.waiting > MAX_WAITING_ALTOGETHER)
        fail(new Error('too many changes wait for their check'));
      else drain();
    },
    decideAgain() {
      for (const one of waiting) start(one);
      drain();
    },
    isEmpty: () => waiting.length === 0,
    clear() {
      backlog.waiting -= waiting.length;
      waiting = [];
    },
  };
}
