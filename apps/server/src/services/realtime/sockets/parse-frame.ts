import type { Frame, Ref, Serializer } from './frame.ts';
import { parseUserBroadcastPush } from './parse-user-broadcast-push.ts';

/** Kept for the life of a channel and sent back in every reply: nobody needs a long one. */
const MAX_REF_LENGTH = 255;
const MAX_TOPIC_LENGTH = 1_024;
const MAX_EVENT_LENGTH = 255;

/** Undefined for anything that is no message of that serializer; never throws. */
export function parseFrame(serializer: Serializer, data: Buffer, isBinary: boolean): Frame | undefined {
  if (isBinary) return serializer === 2 ? parseUserBroadcastPush(data) : undefined;
  let value: unknown;
  try {
    value = JSON.parse(data.toString('utf8'));
  } catch {
    return undefined;
  }
  return serializer === 2 ? readArray(value) : readObject(value);
}

function readArray(value: unknown): Frame | undefined {
  if (!Array.isArray(value) || value.length < 5) return undefined;
  const [joinRef, ref, topic, event, payload] = value as unknown[];
  return toFrame(joinRef, ref, topic, event, payload);
}

function readObject(value: unknown): Frame | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { join_ref: joinRef, ref, topic, event, payload } = value as Record<string, unknown>;
  return toFrame(joinRef, ref, topic, event, payload);
}

function toFrame(
  joinRef: unknown,
  ref: unknown,
  topic: unknown,
  event: unknown,
  payload: unknown,
): Frame | undefined {
  if (!isRef(joinRef) || !isRef(ref)) return undefined;
  if (typeof topic !== 'string' || topic.length > MAX_TOPIC_LENGTH) return undefined;
  if (typeof event !== 'string' || event.length > MAX_EVENT_LENGTH) return undefined;
  return { joinRef: joinRef ?? null, ref: ref ?? null, topic, event, payload: payload ?? {} };
}

function isRef(value: unknown): value is Ref | undefined {
  if (value === undefined || value === null || Number.isFinite(value)) return true;
  return typeof value === 'string' && value.length <= MAX_REF_LENGTH;
}
