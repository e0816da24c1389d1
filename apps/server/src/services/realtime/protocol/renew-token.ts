import { readAccessToken } from '../authorization/read-access-token.ts';
import type { Channel, ChannelToken } from '../channels/channel.ts';
import { readPolicies, takeReads } from '../channels/channel-policies.ts';
import { readSessionFault, type SessionFault } from '../channels/session-watch.ts';
import { sendPresenceState } from '../presence/handle-presence.ts';
import type { RealtimeContext } from '../realtime-context.ts';
import type { Frame } from '../sockets/frame.ts';
import { TOO_MANY_SOCKETS } from '../sockets/socket-places.ts';
import { announceChangesAgain } from './announce-changes.ts';

/**
 * The `access_token` event (protocol note, section 3.2): never a reply. A token that does not hold, or that may receive less
 * than the one before, ends the channel; a good one takes its place everywhere. Where nobody can say, the channel ends so that
 * the client joins again by itself.
 */
export function renewToken(context: RealtimeContext, channel: Channel, frame: Frame): void | Promise<void> {
  const { access_token: text } = (frame.payload ?? {}) as { access_token?: unknown };
  if (typeof text !== 'string' || text === '' || text.startsWith('sb_')) return;
  if (text === channel.token.text) return;
  const read = readAccessToken(context.keyring, text, context.now());
  if (!read.ok) return channel.shutDown(read.message);
  if (!context.places.signIn(channel.socket, read.caller)) return channel.shutDown(TOO_MANY_SOCKETS);
  const token = { text, caller: read.caller, expiresAt: read.expiresAt };
  const fault = readSessionFault(context, token.caller);
  const renew = (found: SessionFault | undefined) => {
    if (!channel.isOpen) return undefined;
    if (found) return refuseToken(channel, found);
    return channel.isPrivate ? renewPrivate(context, channel, token) : useToken(context, channel, token);
  };
  return fault instanceof Promise ? fault.then(renew) : renew(fault);
}

async function renewPrivate(context: RealtimeContext, channel: Channel, token: ChannelToken): Promise<void> {
  const policies = await readPolicies(context, channel, token);
  if (!channel.isOpen) return;
  if (!policies.ok) return refuseToken(channel, policies);
  const seesMore = policies.reads.presence && !channel.reads.presence;
  if (!takeReads(channel, policies.reads)) return;
  useToken(context, channel, token);
  if (seesMore) sendPresenceState(context, channel);
}

function refuseToken(channel: Channel, { code, message }: SessionFault): void {
  if (code === 'UnableToConnectToProject') channel.fail('system', message);
  else channel.shutDown(message);
}

function useToken(context: RealtimeContext, channel: Channel, token: ChannelToken): void {
  channel.token = token;
  channel.writes = new Map();
  context.expiry.watch(channel);
  context.sessions.watch(channel);
  channel.subscription?.renew();
  announceChangesAgain(context, channel);
}
