import type { TopicExtension } from '../authorization/topic-access.ts';
import type { RealtimeContext } from '../realtime-context.ts';
import type { Channel, ChannelToken } from './channel.ts';

export type ReadPolicies =
  | { readonly ok: true; readonly reads: Readonly<Record<TopicExtension, boolean>> }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** What a token lets a private channel hear (protocol note, section 3.5): nothing at all means no entry. */
export async function readPolicies(
  { access, logger }: RealtimeContext,
  channel: Channel,
  token: ChannelToken,
): Promise<ReadPolicies> {
  const { topic, socket } = channel;
  try {
    const reads = await access.canRead(token.caller, topic, socket.headers);
    if (reads.broadcast || reads.presence) return { ok: true, reads };
  } catch (error) {
    logger.warn({ err: error }, 'a private channel could not be asked for its policies');
    return {
      ok: false,
      code: 'UnableToConnectToProject',
      message: 'Realtime was unable to connect to the project database',
    };
  }
  const message = `You do not have permissions to read from this Channel topic: ${topic}`;
  return { ok: false, code: 'Unauthorized', message };
}
