import type { RealtimeContext } from '../realtime-context.ts';
import type { ClientSocket } from '../sockets/client-socket.ts';
import type { Frame } from '../sockets/frame.ts';

const TOPIC_PREFIX = 'realtime:';

/**
 * What a socket may not do, whatever the join itself says: reasons in the words of the protocol note, section 3.2. A join
 * of a joined topic ends the old one, which so makes room for itself.
 */
export function refuseJoin(
  { limits, now }: RealtimeContext,
  socket: ClientSocket,
  { topic }: Frame,
): string | undefined {
  if (!topic.startsWith(TOPIC_PREFIX)) return 'unmatched topic';
  if (topic === TOPIC_PREFIX) return 'TopicNameRequired: You must provide a topic name';
  if (!socket.joins.take(now().getTime())) return 'ClientJoinRateLimitReached: Too many joins per second';
  socket.channels.get(topic)?.close();
  if (socket.channels.size >= limits.channelsPerSocket) return 'ChannelRateLimitReached: Too many channels';
  return undefined;
}
