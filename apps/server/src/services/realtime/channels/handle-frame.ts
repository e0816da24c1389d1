import { randomUUID } from 'node:crypto';
import type { StoredMessage } from '../authorization/topic-access.ts';
import { handleBroadcast } from '../broadcast/handle-broadcast.ts';
import { toStoredBroadcast } from '../broadcast/to-stored-broadcast.ts';
import { handlePresence, leavePresence, sendPresenceState } from '../presence/handle-presence.ts';
import type { RealtimeContext } from '../realtime-context.ts';
import type { ClientSocket } from '../sockets/client-socket.ts';
import type { Frame } from '../sockets/frame.ts';
import { TOO_MANY_SOCKETS } from '../sockets/socket-places.ts';
import { type Admission, admitChannel } from './admit-channel.ts';
import { announceChanges, announceChangesAgain } from './announce-changes.ts';
import { Channel, type ChannelToken } from './channel.ts';
import type { JoinConfig } from './join-config.ts';
import { parseJoin } from './parse-join.ts';
import { readAccessToken } from './read-access-token.ts';
import { readPolicies } from './read-policies.ts';
import { readSessionFault, type SessionFault } from './read-session-fault.ts';

/** One message of a client, as Phoenix treats it (protocol note, sections 3.1 and 3.2). */
export function handleFrame(context: RealtimeContext, socket: ClientSocket, frame: Frame): void {
  if (frame.topic === 'phoenix' && frame.event === 'heartbeat') socket.reply(frame, 'ok');
  else if (!socket.messages.take(context.now().getTime())) refuseFlood(socket, frame);
  else takeInTurn(context, socket, frame);
}

function takeInTurn(context: RealtimeContext, socket: ClientSocket, frame: Frame): void {
  socket.inTurn(frame.topic, () => {
    if (!socket.isOpen) return;
    const channel = socket.channels.get(frame.topic);
    if (frame.event === 'phx_join') return joinChannel(context, socket, frame);
    if (!channel) return answerUnjoined(socket, frame);
    // From a join that has been replaced since: the client has raced itself.
    if (isOutdated(channel, frame)) return;
    return handleEvent(context, channel, frame);
  });
}

function handleEvent(context: RealtimeContext, channel: Channel, frame: Frame): void | Promise<void> {
  switch (frame.event) {
    case 'phx_leave':
      channel.socket.reply(frame, 'ok');
      return channel.close();
    case 'broadcast':
      return handleBroadcast(context, channel, frame);
    case 'presence':
      return handlePresence(context, channel, frame);
    case 'access_token':
      return renewToken(context, channel, frame);
    default:
      // Upstream notes it for itself and answers nothing.
      return undefined;
  }
}

function isOutdated(channel: Channel, { joinRef }: Frame): boolean {
  return joinRef !== null && channel.joinRef !== null && String(joinRef) !== String(channel.joinRef);
}

function answerUnjoined(socket: ClientSocket, frame: Frame): void {
  // Leaving twice is leaving.
  if (frame.event === 'phx_leave') socket.reply(frame, 'ok');
  else socket.refuse(frame, 'unmatched topic');
}

/** Upstream's answer to too much: the channel ends, with a word why. */
function refuseFlood(socket: ClientSocket, frame: Frame): void {
  const message = 'Too many messages per second';
  const channel = socket.channels.get(frame.topic);
  if (channel) channel.shutDown(message);
  else socket.refuse(frame, message);
}

/**
 * The `access_token` event (protocol note, section 3.2): never a reply. A token that does not hold, or that may hear less
 * than the one before, ends the channel; a good one takes its place everywhere.
 */
function renewToken(context: RealtimeContext, channel: Channel, frame: Frame): void | Promise<void> {
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
    if (found) return channel.shutDown(found.message);
    return channel.isPrivate ? renewPrivate(context, channel, token) : take(context, channel, token);
  };
  return fault instanceof Promise ? fault.then(renew) : renew(fault);
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
  context.sessions.watch(channel);
  channel.subscription?.renew();
  announceChangesAgain(channel);
}

/** `phx_join` (protocol note, section 3.2): everything that may refuse it, then the answer and what follows it. */
async function joinChannel(context: RealtimeContext, socket: ClientSocket, frame: Frame): Promise<void> {
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
  if (admission.ok) return settleChannel(context, channel, frame, admission);
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
function settleChannel(
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
  socket.reply(frame, 'ok', `{"postgres_changes":[${entries.join(',')}]}`);
  sendPresenceState(context, channel);
  sendPast(channel, admission.replayed);
  channel.release();
  announceChanges(channel);
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
