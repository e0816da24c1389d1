import type { StoredMessage } from '../authorization/topic-access.ts';
import { toStoredBroadcast } from '../broadcast/to-stored-broadcast.ts';
import { sendPresenceState } from '../presence/handle-presence.ts';
import type { RealtimeContext } from '../realtime-context.ts';
import type { Frame } from '../sockets/frame.ts';
import type { Admission } from './admit-channel.ts';
import { announceChanges } from './announce-changes.ts';
import type { Channel } from './channel.ts';

/** Upstream's own. */
const REPLICATION_PATIENCE_MS = 10_000;

/** The answer to a join, and what the protocol sends behind it (note, section 3.2). */
export function settleChannel(
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
