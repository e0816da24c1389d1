import type { Logger } from 'pino';
import type { TopicAccess, TopicExtension } from '../authorization/create-topic-access.ts';
import type { Channel, ChannelToken } from './channel.ts';

type PolicyDeps = {
  readonly access: Pick<TopicAccess, 'canRead' | 'canWrite'>;
  readonly logger: Pick<Logger, 'warn'>;
};

export type ReadPolicies =
  | { readonly ok: true; readonly reads: Readonly<Record<TopicExtension, boolean>> }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** What a token lets a private channel receive (protocol note, section 3.5): nothing at all means no entry. */
export async function readPolicies(
  { access, logger }: PolicyDeps,
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

/**
 * Takes over what policies let a channel receive now.
 * @returns whether it stays: one that may receive less than before is ended.
 */
export function takeReads(channel: Channel, reads: Channel['reads']): boolean {
  const isRevoked =
    (channel.reads.broadcast && !reads.broadcast) || (channel.reads.presence && !reads.presence);
  if (isRevoked)
    channel.shutDown(`You no longer have permission to read from this Channel topic: ${channel.topic}`);
  else channel.reads = reads;
  return !isRevoked;
}

/**
 * Whether a channel may say something (protocol note, section 3.5). Policies are asked at the first attempt and the
 * answer holds until `writes` are begun anew; a question that fails is a no, and is asked again next time.
 */
export function mayWrite(
  { access, logger }: PolicyDeps,
  channel: Channel,
  extension: TopicExtension,
): boolean | Promise<boolean> {
  if (!channel.isPrivate) return true;
  const { token, writes } = channel;
  const known = writes.get(extension);
  if (known !== undefined) return known;
  return access.canWrite(token.caller, channel.topic, extension, channel.socket.headers).then(
    (allowed) => {
      // An answer from before the token or the policies changed says nothing about now.
      if (channel.writes !== writes) return mayWrite({ access, logger }, channel, extension);
      writes.set(extension, allowed);
      return allowed;
    },
    (error: unknown) => {
      logger.warn({ err: error }, 'a private channel could not be asked for its policies');
      return false;
    },
  );
}
