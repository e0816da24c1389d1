import type { Channel } from '../channels/channel.ts';
import { mayWrite, readPolicies, takeReads } from '../channels/channel-policies.ts';
import { isPresent, leavePresence } from '../presence/handle-presence.ts';
import type { RealtimeContext } from '../realtime-context.ts';

/**
 * Holds a private channel against the policies once more, in between two tokens. One that may receive less ends, and its presence with it;
 * one that may not show itself any more is not shown. Where nobody can say, it ends so that the client joins again by itself.
 */
export async function askPoliciesAgain(context: RealtimeContext, channel: Channel): Promise<void> {
  const { token } = channel;
  const policies = await readPolicies(context, channel, token);
  // About a new token the policies were asked when it came. A channel that was left says nothing any more.
  if (channel.token !== token) return;
  if (!policies.ok)
    return policies.code === 'Unauthorized'
      ? channel.shutDown(policies.message)
      : channel.fail('system', policies.message);
  if (!takeReads(channel, policies.reads)) return;
  channel.writes.clear();
  if (isPresent(context, channel) && !(await mayWrite(context, channel, 'presence')))
    leavePresence(context, channel);
}
