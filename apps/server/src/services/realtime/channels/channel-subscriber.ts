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
