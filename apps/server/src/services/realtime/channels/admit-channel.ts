import type { StoredMessage } from '../authorization/topic-access.ts';
import type { RealtimeContext } from '../realtime-context.ts';
import { subscribeToChanges, waitForChanges } from './announce-changes.ts';
import type { Channel } from './channel.ts';
import { readPolicies } from './read-policies.ts';
import { readSessionFault } from './read-session-fault.ts';

export type Admission =
  | {
      readonly ok: true;
      readonly replayed: readonly StoredMessage[];
      /** Of the changes it asked for, in their order. */
      readonly ids: readonly number[];
    }
  | { readonly ok: false; readonly reason: string };

/**
 * Policies, replay, changes: what takes its time before a join is answered.
 * @returns undefined when the client has gone in the meantime: nothing may be opened for it then.
 */
export async function admitChannel(
  context: RealtimeContext,
  channel: Channel,
): Promise<Admission | undefined> {
  const { config } = channel;
  if (config.replay && !config.isPrivate)
    return refuse('UnableToReplayMessages: Replay is not allowed for public channels');
  const fault = await readSessionFault(context, channel.token.caller);
  if (!channel.isOpen) return undefined;
  if (fault) return refuse(`${fault.code}: ${fault.message}`);
  if (config.isPrivate) {
    const policies = await readPolicies(context, channel, channel.token);
    if (!policies.ok) return refuse(`${policies.code}: ${policies.message}`);
    channel.reads = policies.reads;
  }
  if (!channel.isOpen) return undefined;
  const past = await readPast(context, channel);
  if (!channel.isOpen) return undefined;
  if (!past.ok) return past;
  const subscribed = subscribeToChanges(context, channel);
  const changesFault = await waitForChanges(channel, subscribed);
  return changesFault === undefined ? { ...past, ids: subscribed.ids } : refuse(changesFault);
}

async function readPast({ access, logger, topics }: RealtimeContext, channel: Channel): Promise<Admission> {
  const { config, topic } = channel;
  if (!config.replay) return { ok: true, replayed: [], ids: [] };
  if (!channel.reads.broadcast)
    return refuse(`Unauthorized: You do not have permissions to read from this Channel topic: ${topic}`);
  // Joined from here on, so that nothing falls between what is read and what comes.
  topics.add(channel);
  try {
    const replayed = await access.replay(topic, config.replay);
    channel.replayed = new Set(replayed.map(({ id }) => id));
    return { ok: true, replayed, ids: [] };
  } catch (error) {
    logger.warn({ err: error }, 'stored messages could not be replayed');
    return refuse('UnableToReplayMessages: Realtime was unable to replay messages');
  }
}

function refuse(reason: string): Admission {
  return { ok: false, reason };
}
