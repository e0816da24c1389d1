import type { Channel } from '../channels/channel.ts';
import { mayWrite, readPolicies, takeReads } from '../channels/channel-policies.ts';
import { isPresent, leavePresence } from '../presence/handle-presence.ts';
import type { RealtimeContext } from '../realtime-context.ts';

/**
 * Holds a private channel against the policies once more, in between two tokens. One that may receive less ends, and its presence with it;
 * one that may not show itself any more is not shown. Where nobody can say, it ends so that the client joins again by itself.
 */
export async function askPoliciesAgain(context: RealtimeContext, channel: Channel): Promise<void> {
  let { token } = channel;
  let policies = await readPolicies(context, channel, token);
  if (channel.isOpen && channel.token !== token) {
    // About the new token the policies may have been asked before they changed. About one after that they were asked later: a channel's
    // messages are taken in turn.
    token = channel.token;
    policies = await readPolicies(context, channel, token);
  }
  if (!channel.isOpen || channel.token !== token) return;
  if (!policies.ok)
    return policies.code === 'Unauthorized'
      ? channel.shutDown(policies.message)
      : channel.fail('system', policies.message);
  if (!takeReads(channel, policies.reads)) return;
  channel.writes = new Map();
  if (isPresent(context, channel) && !(await mayWrite(context, channel, 'presence')))
    leavePresence(context, channel);
}
