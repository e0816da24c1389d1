import type { OutgoingMessage } from '../sockets/encode-message.ts';
import type { Frame, Serializer } from '../sockets/frame.ts';

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
