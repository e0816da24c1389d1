import { randomUUID } from 'node:crypto';
import { leavePresence } from '../presence/handle-presence.ts';
import type { RealtimeContext } from '../realtime-context.ts';
import type { ClientSocket } from '../sockets/client-socket.ts';
import type { Frame } from '../sockets/frame.ts';
import { TOO_MANY_SOCKETS } from '../sockets/socket-places.ts';
import { admitChannel } from './admit-channel.ts';
import { Channel, type ChannelToken } from './channel.ts';
import type { JoinConfig } from './join-config.ts';
import { parseJoin } from './parse-join.ts';
import { readAccessToken } from './read-access-token.ts';
import { refuseJoin } from './refuse-join.ts';
import { settleChannel } from './settle-channel.ts';

/** `phx_join` (protocol note, section 3.2): everything that may refuse it, then the answer and what follows it. */
export async function joinChannel(
  context: RealtimeContext,
  socket: ClientSocket,
  frame: Frame,
): Promise<void> {
  const refusal = refuseJoin(context, socket, frame);
  if (refusal !== undefined) return socket.refuse(frame, refusal);
  const parsed = parseJoin(frame.payload);
  if (!parsed.ok) return socket.refuse(frame, parsed.reason);
  const { config } = parsed;
  const text = config.accessToken ?? socket.apiKey;
  const token = readAccessToken(context.keyring, text, context.now());
  if (!token.ok) return socket.refuse(frame, `${token.code}: ${token.message}`);
  if (!context.places.signIn(socket, token.caller)) return socket.refuse(frame, TOO_MANY_SOCKETS);

  const channel = openChannel(context, socket, frame, config, { ...token, text });
  const admission = await admitChannel(context, channel);
  // The client may have gone, or the channel have failed, while the database was asked.
  if (!admission || !channel.isOpen) return;
  if (admission.ok) return settleChannel(context, channel, frame, admission);
  channel.end();
  socket.refuse(frame, admission.reason);
}

function openChannel(
  context: RealtimeContext,
  socket: ClientSocket,
  frame: Frame,
  config: JoinConfig,
  { text, caller, expiresAt }: ChannelToken,
): Channel {
  const channel = new Channel({
    id: context.nextId(),
    socket,
    fullTopic: frame.topic,
    joinRef: frame.joinRef ?? frame.ref,
    config,
    presenceKey: config.presenceKey ?? randomUUID(),
    token: { text, caller, expiresAt },
    onClosed: (closed) => {
      context.topics.remove(closed);
      if (socket.channels.get(closed.fullTopic) === closed) socket.channels.delete(closed.fullTopic);
      leavePresence(context, closed);
    },
  });
  socket.channels.set(frame.topic, channel);
  return channel;
}
