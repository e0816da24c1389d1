import { randomUUID } from 'node:crypto';
import type { StoredMessage } from '../authorization/topic-access.ts';
import { toStoredBroadcast } from '../broadcast/to-stored-broadcast.ts';
import { leavePresence, sendPresenceState } from '../presence/handle-presence.ts';
import type { RealtimeContext } from '../realtime-context.ts';
import type { ClientSocket } from '../sockets/client-socket.ts';
import type { Frame } from '../sockets/frame.ts';
import { announceChanges, subscribeToChanges, waitForChanges } from './announce-changes.ts';
import { Channel, type ChannelToken } from './channel.ts';
import type { JoinConfig } from './join-config.ts';
import { parseJoin } from './parse-join.ts';
import { readAccessToken } from './read-access-token.ts';
import { readPolicies } from './read-policies.ts';

const TOPIC_PREFIX = 'realtime:';
const REPLICATION_PATIENCE_MS = 10_000;

type Refusal = { readonly reason: string };

/** `phx_join` (protocol note, section 3.2): everything that may refuse it, then the reply and what follows it. */
export async function joinChannel(
  context: RealtimeContext,
  socket: ClientSocket,
  frame: Frame,
): Promise<void> {
  const refusal = refuseJoin(context, socket, frame);
  if (refusal) return socket.refuse(frame, refusal.reason);
  const parsed = parseJoin(frame.payload);
  if (!parsed.ok) return socket.refuse(frame, parsed.reason);
  const token = readToken(context, socket, parsed.config);
  if ('reason' in token) return socket.refuse(frame, token.reason);

  const channel = openChannel(context, socket, frame, parsed.config, token);
  const admitted = await admit(context, channel);
  // The client may have gone, or joined again, while the database was asked.
  if (!channel.isOpen) return;
  if ('reason' in admitted) {
    channel.end();
    return socket.refuse(frame, admitted.reason);
  }
  settle(context, channel, frame, admitted);
}

/** What a socket may not do, whatever the join says. */
function refuseJoin(
  { limits, now }: RealtimeContext,
  socket: ClientSocket,
  frame: Frame,
): Refusal | undefined {
  if (!frame.topic.startsWith(TOPIC_PREFIX)) return { reason: 'unmatched topic' };
  if (frame.topic === TOPIC_PREFIX) return { reason: 'TopicNameRequired: You must provide a topic name' };
  if (!socket.joins.take(now().getTime()))
    return { reason: 'ClientJoinRateLimitReached: Too many joins per second' };
  // A second join takes the place of the first.
  socket.channels.get(frame.topic)?.close();
  if (socket.channels.size >= limits.channelsPerSocket)
    return { reason: 'ChannelRateLimitReached: Too many channels' };
  return undefined;
}

function readToken(
  { keyring, now }: RealtimeContext,
  socket: ClientSocket,
  config: JoinConfig,
): ChannelToken | Refusal {
  const text = config.accessToken ?? socket.apiKey;
  const read = readAccessToken(keyring, text, now());
  if (!read.ok) return { reason: `${read.code}: ${read.message}` };
  return { text, caller: read.caller, expiresAt: read.expiresAt };
}

function openChannel(
  context: RealtimeContext,
  socket: ClientSocket,
  frame: Frame,
  config: JoinConfig,
  token: ChannelToken,
): Channel {
  const channel = new Channel({
    id: context.nextId(),
    socket,
    fullTopic: frame.topic,
    joinRef: frame.joinRef ?? frame.ref,
    config,
    presenceKey: config.presenceKey ?? randomUUID(),
    token,
    onClosed: (closed) => {
      context.topics.remove(closed);
      if (socket.channels.get(closed.fullTopic) === closed) socket.channels.delete(closed.fullTopic);
      leavePresence(context, closed);
    },
  });
  socket.channels.set(frame.topic, channel);
  return channel;
}

type Admission = { readonly replayed: readonly StoredMessage[]; readonly ids: readonly number[] };

/** Policies, replay, changes: what takes its time before the reply. */
async function admit(context: RealtimeContext, channel: Channel): Promise<Admission | Refusal> {
  const { config } = channel;
  if (config.replay && !config.isPrivate)
    return { reason: 'UnableToReplayMessages: Replay is not allowed for public channels' };
  if (config.isPrivate) {
    const policies = await readPolicies(context, channel, channel.token);
    if (!policies.ok) return { reason: `${policies.code}: ${policies.message}` };
    channel.reads = policies.reads;
  }
  const replayed = await replay(context, channel);
  if ('reason' in replayed) return replayed;
  const subscribed = subscribeToChanges(context, channel);
  const fault = await waitForChanges(channel, subscribed);
  return fault === undefined ? { replayed, ids: subscribed.ids } : { reason: fault };
}

async function replay(
  { access, logger, topics }: RealtimeContext,
  channel: Channel,
): Promise<readonly StoredMessage[] | Refusal> {
  const { config, topic } = channel;
  if (!config.replay) return [];
  if (!channel.reads.broadcast)
    return { reason: `Unauthorized: You do not have permissions to read from this Channel topic: ${topic}` };
  // Joined from here on, so that nothing falls between what is read and what comes.
  topics.add(channel);
  try {
    const messages = await access.replay(topic, config.replay);
    channel.replayed = new Set(messages.map(({ id }) => id));
    return messages;
  } catch (error) {
    logger.warn({ err: error }, 'stored messages could not be replayed');
    return { reason: 'UnableToReplayMessages: Realtime was unable to replay messages' };
  }
}

function settle(context: RealtimeContext, channel: Channel, frame: Frame, admission: Admission): void {
  const { socket, config } = channel;
  const entries = config.changesEcho.map((echo, index) => {
    const id = `"id":${admission.ids[index] ?? context.nextId()}`;
    return echo === '' ? `{${id}}` : `{${id},${echo}}`;
  });
  context.topics.add(channel);
  context.expiry.watch(channel);
  socket.reply(frame, 'ok', `{"postgres_changes":[${entries.join(',')}]}`);
  sendPresenceState(context, channel);
  sendPast(channel, admission.replayed);
  announceChanges(channel);
  if (config.replicationReady) void announceReplication(context, channel);
}

function sendPast(channel: Channel, replayed: readonly StoredMessage[]): void {
  const { socket } = channel;
  for (const stored of replayed) {
    const encoded = toStoredBroadcast(stored, true).encode(socket.serializer);
    if (encoded) socket.sendEncoded(encoded.data, encoded.isBinary);
  }
  channel.release();
}

async function announceReplication({ feed }: RealtimeContext, channel: Channel): Promise<void> {
  try {
    await feed.whenLive(REPLICATION_PATIENCE_MS);
    channel.sendSystem('ok', 'system', 'Replication connection established');
  } catch {
    channel.shutDown('Replication connection was not established in time');
  }
}
