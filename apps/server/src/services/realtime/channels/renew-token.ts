import { sendPresenceState } from '../presence/handle-presence.ts';
import type { RealtimeContext } from '../realtime-context.ts';
import type { Frame } from '../sockets/frame.ts';
import { TOO_MANY_SOCKETS } from '../sockets/socket-places.ts';
import { announceChangesAgain } from './announce-changes.ts';
import type { Channel, ChannelToken } from './channel.ts';
import { readAccessToken } from './read-access-token.ts';
import { readPolicies } from './read-policies.ts';

/**
 * The `access_token` event (protocol note, section 3.2): never a reply. A token that does not hold, or that may hear less
 * than the one before, ends the channel; a good one takes its place everywhere.
 */
export function renewToken(context: RealtimeContext, channel: Channel, frame: Frame): void | Promise<void> {
  const { access_token: text } = (frame.payload ?? {}) as { access_token?: unknown };
  if (typeof text !== 'string' || text === '' || text.startsWith('sb_')) return;
  if (text === channel.token.text) return;
  const read = readAccessToken(context.keyring, text, context.now());
  if (!read.ok) return channel.shutDown(read.message);
  if (!context.places.signIn(channel.socket, read.caller)) return channel.shutDown(TOO_MANY_SOCKETS);
  const token = { text, caller: read.caller, expiresAt: read.expiresAt };
  if (channel.isPrivate) return renewPrivate(context, channel, token);
  take(context, channel, token);
}

async function renewPrivate(context: RealtimeContext, channel: Channel, token: ChannelToken): Promise<void> {
  const policies = await readPolicies(context, channel, token);
  if (!channel.isOpen) return;
  if (!policies.ok) return channel.shutDown(policies.message);
  const { reads } = policies;
  const isRevoked =
    (channel.reads.broadcast && !reads.broadcast) || (channel.reads.presence && !reads.presence);
  if (isRevoked)
    return channel.shutDown(
      `You no longer have permission to read from this Channel topic: ${channel.topic}`,
    );
  const seesMore = reads.presence && !channel.reads.presence;
  channel.reads = reads;
  take(context, channel, token);
  if (seesMore) sendPresenceState(context, channel);
}

function take(context: RealtimeContext, channel: Channel, token: ChannelToken): void {
  channel.token = token;
  channel.writes.clear();
  context.expiry.watch(channel);
  channel.subscription?.renew();
  announceChangesAgain(channel);
}
