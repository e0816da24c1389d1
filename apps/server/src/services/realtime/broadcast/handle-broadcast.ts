import type { Channel } from '../channels/channel.ts';
import { mayWrite } from '../channels/channel-policies.ts';
import type { RealtimeContext } from '../realtime-context.ts';
import type { Frame } from '../sockets/frame.ts';
import { type BroadcastContent, BroadcastMessage, isJson } from './broadcast-message.ts';
import { publishBroadcast } from './publish-broadcast.ts';

/**
 * A client's `broadcast` event in either form (protocol note, section 3.4). Without `ack` there is no reply, not
 * even where policies deny the write.
 */
export function handleBroadcast(
  context: RealtimeContext,
  channel: Channel,
  frame: Frame,
): void | Promise<void> {
  const content = toContent(frame);
  if (content === undefined) return answer(channel, frame, 'Broadcast payload must be a map');
  if (toSize(content) > context.limits.broadcastBytes) return answer(channel, frame, 'Payload size exceeded');
  const send = (isAllowed: boolean) => {
    if (!channel.isOpen) return;
    if (!isAllowed)
      return answer(
        channel,
        frame,
        `Unauthorized: You do not have permissions to write to this Channel topic: ${channel.topic}`,
      );
    const message = new BroadcastMessage(channel.topic, channel.isPrivate, content);
    context.topics.deliver(message, channel.config.self ? undefined : channel);
    publishBroadcast(context.bus, message);
    answer(channel, frame);
  };
  const allowed = mayWrite(context, channel, 'broadcast');
  return typeof allowed === 'boolean' ? send(allowed) : allowed.then(send);
}

function answer(channel: Channel, frame: Frame, fault?: string): void {
  if (!channel.config.ack) return;
  if (fault === undefined) channel.socket.reply(frame, 'ok');
  else channel.socket.refuse(frame, fault);
}

/** Undefined for what receivers could not read: they would throw where their own code cannot catch it. */
function toContent({ push, payload }: Frame): BroadcastContent | undefined {
  if (push) {
    if (push.encoding === 'json' && !isJson(push.bytes)) return undefined;
    return { form: 'user', ...push };
  }
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return undefined;
  return { form: 'object', json: JSON.stringify(payload) };
}

function toSize(content: BroadcastContent): number {
  return content.form === 'user' ? content.bytes.length : Buffer.byteLength(content.json);
}
