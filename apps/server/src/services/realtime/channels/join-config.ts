import type { ChangeRequest } from '../changes/change-subscriptions.ts';
import type { Frame, OutgoingMessage, Serializer } from '../sockets/frame.ts';

/** What a join asks for (protocol note, section 3.2), read and filled in. */
export type JoinConfig = {
  readonly isPrivate: boolean;
  readonly ack: boolean;
  readonly self: boolean;
  /** Undefined: nothing is replayed. `since` in milliseconds since 1970. */
  readonly replay: { readonly since: number; readonly limit: number } | undefined;
  readonly replicationReady: boolean;
  /** Undefined when the client leaves the choice to the server. */
  readonly presenceKey: string | undefined;
  readonly presenceEnabled: boolean;
  readonly changes: readonly ChangeRequest[];
  /** The same entries as JSON objects without their braces and without keys that are null: the reply repeats them. */
  readonly changesEcho: readonly string[];
  /** How long the reply is held back until changes are live; undefined: not at all. */
  readonly waitMs: number | undefined;
  /** As sent; a key of the hosted platform's newer kind (`sb_…`) counts as absent. */
  readonly accessToken: string | undefined;
};

/** What a channel needs of the connection that it is joined over. */
export type ChannelSocket = {
  readonly serializer: Serializer;
  /** What policies may read of the handshake (`request.headers`). */
  readonly headers: Readonly<Record<string, string>>;
  send(message: OutgoingMessage): void;
  sendEncoded(data: string | Buffer, isBinary: boolean): void;
  reply(frame: Frame, status: 'ok' | 'error', responseJson?: string): void;
  refuse(frame: Frame, reason: string): void;
};
