import { randomUUID } from 'node:crypto';
import { readAccessToken } from '../authorization/read-access-token.ts';
import { toStoredBroadcast } from '../broadcast/broadcast-message.ts';
import { Channel, type ChannelToken, type JoinConfig } from '../channels/channel.ts';
import { readPolicies } from '../channels/channel-policies.ts';
import { readSessionFault } from '../channels/session-watch.ts';
import type { StoredMessage } from '../messages/stored-message.ts';
import { leavePresence, sendPresenceState } from '../presence/handle-presence.ts';
import type { RealtimeContext } from '../realtime-context.ts';
import type { ClientSocket } from '../sockets/client-socket.ts';
import type { Frame } from '../sockets/frame.ts';
import { TOO_MANY_SOCKETS } from '../sockets/socket-places.ts';
import { announceChanges, subscribeToChanges, waitForChanges } from './announce-changes.ts';
import { parseJoin } from './parse-join.ts';

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
  if (admission.ok) return completeJoin(context, channel, frame, admission);
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
      context.policies.end(closed);
    },
  });
  socket.channels.set(frame.topic, channel);
  return channel;
}

const TOPIC_PREFIX = 'realtime:';

/**
 * What a socket may not do, whatever the join itself says: reasons in the words of the protocol note, section 3.2. A join
 * of a joined topic ends the old one, which so makes room for itself.
 */
function refuseJoin(
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

/** Upstream's own. */
const REPLICATION_PATIENCE_MS = 10_000;

/** The answer to a join, and what the protocol sends behind it (note, section 3.2). */
function completeJoin(
  context: RealtimeContext,
  channel: Channel,
  frame: Frame,
  admission: Extract<Admission, { ok: true }>,
): void {
  const { config, socket } = channel;
  const entries = config.changesEcho.map((echo, index) => {
    const id = `"id":${admission.ids[index] ?? context.nextId()}`;
    return echo === '' ? `{${id}}` : `{${id},${echo}}`;
  });
  context.topics.add(channel);
  context.expiry.watch(channel);
  context.sessions.watch(channel);
  if (config.isPrivate) context.policies.joined(channel);
  socket.reply(frame, 'ok', `{"postgres_changes":[${entries.join(',')}]}`);
  sendPresenceState(context, channel);
  sendPast(channel, admission.replayed);
  channel.release();
  announceChanges(context, channel);
  if (config.replicationReady) void announceReplication(context, channel);
}

function sendPast({ socket }: Channel, replayed: readonly StoredMessage[]): void {
  for (const stored of replayed) {
    const encoded = toStoredBroadcast(stored, true).encode(socket.serializer);
    if (encoded) socket.sendEncoded(encoded.data, encoded.isBinary);
  }
}

async function announceReplication({ feed }: RealtimeContext, channel: Channel): Promise<void> {
  try {
    await feed.whenLive(REPLICATION_PATIENCE_MS);
    channel.sendSystem('ok', 'system', 'Replication connection established');
  } catch {
    channel.shutDown('Replication connection was not established in time');
  }
}

type Admission =
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
async function admitChannel(context: RealtimeContext, channel: Channel): Promise<Admission | undefined> {
  const { config } = channel;
  if (config.replay && !config.isPrivate)
    return refuse('UnableToReplayMessages: Replay is not allowed for public channels');
  const fault = await readSessionFault(context, channel.token.caller);
  if (!channel.isOpen) return undefined;
  if (fault) return refuse(`${fault.code}: ${fault.message}`);
  if (config.isPrivate) {
    context.policies.begin(channel);
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
