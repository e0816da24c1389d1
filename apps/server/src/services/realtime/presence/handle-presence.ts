import type { Channel } from '../channels/channel.ts';
import { mayWrite } from '../channels/channel-policies.ts';
import type { RealtimeContext } from '../realtime-context.ts';
import type { Frame } from '../sockets/frame.ts';
import { renderMeta } from './create-presence-register.ts';

/** A client's `presence` event: `track` and `untrack` (protocol note, section 3.4). */
export function handlePresence(
  context: RealtimeContext,
  channel: Channel,
  frame: Frame,
): void | Promise<void> {
  const { event, payload } = (frame.payload ?? {}) as { event?: unknown; payload?: unknown };
  if (!takeTurn(context, channel)) return channel.shutDown('Client presence rate limit exceeded');
  const name = typeof event === 'string' ? event.toLowerCase() : '';
  if (name === 'untrack') {
    context.presence.remove(channel, toEntryId(context, channel));
    return channel.socket.reply(frame, 'ok');
  }
  if (name !== 'track') return channel.socket.refuse(frame, 'Unknown presence event');
  const said = payload ?? {};
  if (typeof said !== 'object' || Array.isArray(said))
    return channel.socket.refuse(frame, 'Presence track payload must be a map');
  const track = (isAllowed: boolean) => {
    if (!channel.isOpen) return;
    if (isAllowed) return trackPresence(context, channel, frame, said as Record<string, unknown>);
    channel.socket.refuse(
      frame,
      `You do not have permissions to track presence on this Channel topic: ${channel.topic}`,
    );
  };
  const allowed = mayWrite(context, channel, 'presence');
  return typeof allowed === 'boolean' ? track(allowed) : allowed.then(track);
}

function trackPresence(
  context: RealtimeContext,
  channel: Channel,
  frame: Frame,
  payload: Readonly<Record<string, unknown>>,
): void {
  const { presence, limits, bus } = context;
  const id = toEntryId(context, channel);
  const previous = presence.find(channel, id);
  const ref = `${bus.copyId.slice(0, 8)}${context.nextId().toString(36)}`;
  const metaJson = renderMeta(payload, ref, previous?.ref);
  if (Buffer.byteLength(metaJson) > limits.presenceBytes) {
    channel.shutDown('Track message size exceeded');
    return;
  }
  presence.put(channel, { id, copyId: bus.copyId, key: channel.presenceKey, ref, metaJson });
  channel.socket.reply(frame, 'ok');
  if (channel.receivesPresence) return;
  // Whoever shows itself sees the others, too: who was there before, and from now on every change.
  channel.receivesPresence = true;
  sendPresenceState(context, channel);
}

/** The whole topic, to one channel; nothing where policies hide presence. */
export function sendPresenceState({ presence }: RealtimeContext, channel: Channel): void {
  if (!channel.receivesPresence || !channel.reads.presence) return;
  channel.presenceSequence = presence.sequence;
  channel.sendJoined('presence_state', presence.renderState(channel));
}

export function isPresent(context: RealtimeContext, channel: Channel): boolean {
  return context.presence.find(channel, toEntryId(context, channel)) !== undefined;
}

export function leavePresence(context: RealtimeContext, channel: Channel): void {
  context.presence.remove(channel, toEntryId(context, channel));
}

function toEntryId({ bus }: RealtimeContext, channel: Channel): string {
  return `${bus.copyId}:${channel.id}`;
}

/** Upstream's own limit: every call costs a message to everybody in the topic. */
function takeTurn({ limits, now }: RealtimeContext, { trackCalls }: Channel): boolean {
  const at = now().getTime();
  const isSetBack = at < trackCalls.since;
  if (isSetBack || at - trackCalls.since > limits.trackCalls.milliseconds) {
    trackCalls.since = at;
    trackCalls.count = 0;
  }
  trackCalls.count += 1;
  return trackCalls.count <= limits.trackCalls.calls;
}
