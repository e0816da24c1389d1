import type { Caller } from '../../../kernel/caller-context.ts';

/** One joined channel of one socket, as the parts that feed it see it. */
export type ChannelSubscriber = {
  /** Never reused in this process. */
  readonly id: number;
  /** The channel's name without `realtime:`. */
  readonly topic: string;
  readonly isPrivate: boolean;
  /** Who listens, by the newest access token. One frozen claims object a token: equal claims are often the same object. */
  caller(): Caller;
  /**
   * Sends one event in the socket's own serializer.
   * @param payloadJson the payload, serialised already: one text serves a thousand sockets.
   */
  send(event: string, payloadJson: string): void;
  /** A `system` message (protocol note, section 3.2). */
  sendSystem(status: 'ok' | 'error', extension: string, message: string): void;
  /** A `system` error, then `phx_error` and the end of the channel: the official client joins it again by itself. */
  fail(extension: string, message: string): void;
};

/** One entry of a join's `config.postgres_changes`, as the client sent it. */
export type ChangeRequest = {
  readonly event: string;
  readonly schema: string;
  readonly table?: string;
  readonly filter?: string;
  readonly select?: readonly string[];
};

/** A channel's subscriptions to changes. */
export type ChangeSubscription = {
  /** One a request, in their order; not 0, not shared with another channel. */
  readonly ids: readonly number[];
  /** Resolves once changes made from now on are delivered; rejects with the message for the `system` error. */
  readonly ready: Promise<void>;
  /**
   * Waits once more after a rejection, with the same ids: asked every few seconds until it resolves. Answers undefined
   * when the request itself is at fault, so that waiting cannot help.
   */
  retry?(): Promise<void> | undefined;
  /** The channel's caller has changed: rights are looked up again. */
  renew(): void;
  cancel(): void;
};

/** Who is told of which row (protocol note, section 3.3). */
export type ChangeSubscriptions = {
  /** @returns the reason, in the protocol's words, when a request is malformed. */
  subscribe(
    subscriber: ChannelSubscriber,
    requests: readonly ChangeRequest[],
  ):
    | { readonly ok: true; readonly subscription: ChangeSubscription }
    | { readonly ok: false; readonly reason: string };
  stop(): void;
};
