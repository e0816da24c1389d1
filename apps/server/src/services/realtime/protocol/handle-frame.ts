import { handleBroadcast } from '../broadcast/handle-broadcast.ts';
import type { Channel } from '../channels/channel.ts';
import { handlePresence } from '../presence/handle-presence.ts';
import type { RealtimeContext } from '../realtime-context.ts';
import type { ClientSocket } from '../sockets/client-socket.ts';
import type { Frame } from '../sockets/frame.ts';
import { joinChannel } from './join-channel.ts';
import { renewToken } from './renew-token.ts';

/** One message of a client, as Phoenix treats it (protocol note, sections 3.1 and 3.2). */
export function handleFrame(context: RealtimeContext, socket: ClientSocket, frame: Frame): void {
  if (frame.topic === 'phoenix' && frame.event === 'heartbeat') socket.reply(frame, 'ok');
  else if (!socket.messages.take(context.now().getTime())) refuseFlood(socket, frame);
  else takeInTurn(context, socket, frame);
}

function takeInTurn(context: RealtimeContext, socket: ClientSocket, frame: Frame): void {
  socket.inTurn(frame.topic, () => {
    const prepared = prepareToken(context, frame);
    return prepared ? prepared.then(() => take(context, socket, frame)) : take(context, socket, frame);
  });
}

/** A token of a third party waits until its keys are known. Never rejects. */
function prepareToken({ keyring }: RealtimeContext, { payload }: Frame): Promise<void> | undefined {
  const { access_token: token } = (payload ?? {}) as { readonly access_token?: unknown };
  return typeof token === 'string' ? keyring.prepare(token) : undefined;
}

function take(context: RealtimeContext, socket: ClientSocket, frame: Frame): void | Promise<void> {
  if (!socket.isOpen) return;
  const channel = socket.channels.get(frame.topic);
  if (frame.event === 'phx_join') return joinChannel(context, socket, frame);
  if (!channel) return answerUnjoined(socket, frame);
  // From a join that has been replaced since: the client has raced itself.
  if (isOutdated(channel, frame)) return;
  return handleEvent(context, channel, frame);
}

function handleEvent(context: RealtimeContext, channel: Channel, frame: Frame): void | Promise<void> {
  switch (frame.event) {
    case 'phx_leave':
      channel.socket.reply(frame, 'ok');
      return channel.close();
    case 'broadcast':
      return handleBroadcast(context, channel, frame);
    case 'presence':
      return handlePresence(context, channel, frame);
    case 'access_token':
      return renewToken(context, channel, frame);
    default:
      // Upstream notes it for itself and answers nothing.
      return undefined;
  }
}

function isOutdated(channel: Channel, { joinRef }: Frame): boolean {
  return joinRef !== null && channel.joinRef !== null && String(joinRef) !== String(channel.joinRef);
}

function answerUnjoined(socket: ClientSocket, frame: Frame): void {
  // Leaving twice is leaving.
  if (frame.event === 'phx_leave') socket.reply(frame, 'ok');
  else socket.refuse(frame, 'unmatched topic');
}

/** Upstream's answer to too much: the channel ends, with a word why. */
function refuseFlood(socket: ClientSocket, frame: Frame): void {
  const message = 'Too many messages per second';
  const channel = socket.channels.get(frame.topic);
  if (channel) channel.shutDown(message);
  else socket.refuse(frame, message);
}
