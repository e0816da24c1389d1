/** The two serializers of the official clients (protocol note, section 3.1). */
export type Serializer = 1 | 2;

/** A reference is the client's own; it comes back as it was sent. */
export type Ref = string | number | null;

/** A broadcast of the 2.0.0 serializer's binary kind 3: the payload stays as it came. */
export type UserBroadcastPush = {
  readonly event: string;
  readonly encoding: 'json' | 'binary';
  readonly bytes: Buffer;
};

/** What a client sent: `push` is set for a binary broadcast, and then there is no payload. */
export type Frame = {
  readonly joinRef: Ref;
  readonly ref: Ref;
  readonly topic: string;
  readonly event: string;
  readonly payload: unknown;
  readonly push?: UserBroadcastPush;
};

export type OutgoingMessage = {
  readonly joinRef: Ref;
  readonly ref: Ref;
  readonly topic: string;
  readonly event: string;
  /** Serialised already: one text serves every socket that gets it. */
  readonly payloadJson: string;
};

/** A message as text of the given serializer (protocol note, section 3.1). */
export function encodeMessage(serializer: Serializer, message: OutgoingMessage): string {
  const { joinRef, ref, topic, event, payloadJson } = message;
  const [names, refs] = [[topic, event].map((name) => JSON.stringify(name)), [joinRef, ref].map(toJson)];
  return serializer === 2
    ? `[${refs[0]},${refs[1]},${names[0]},${names[1]},${payloadJson}]`
    : `{"topic":${names[0]},"event":${names[1]},"payload":${payloadJson},"ref":${refs[1]},"join_ref":${refs[0]}}`;
}

function toJson(ref: Ref): string {
  return ref === null ? 'null' : JSON.stringify(ref);
}

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

const KIND = 3;
/** The kind, five lengths and the encoding, one byte each. */
const HEADER_BYTES = 7;
const JSON_ENCODING = 1;
const RAW_ENCODING = 0;

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * A client's broadcast in binary form (protocol note, section 3.1): lengths first, then join reference, reference, topic,
 * the user's event, metadata, and the payload up to the end. Metadata is read past: nothing in it is served.
 * @returns undefined when a length reaches past the end, or a name is not UTF-8.
 */
function parseUserBroadcastPush(data: Buffer): Frame | undefined {
  if (data.length < HEADER_BYTES || data[0] !== KIND) return undefined;
  const encoding = data[6];
  if (encoding !== JSON_ENCODING && encoding !== RAW_ENCODING) return undefined;
  const parts: Buffer[] = [];
  let offset = HEADER_BYTES;
  for (const length of data.subarray(1, 6)) {
    if (offset + length > data.length) return undefined;
    parts.push(data.subarray(offset, offset + length));
    offset += length;
  }
  const names = readNames(parts);
  if (!names) return undefined;
  const [joinRef = '', ref = '', topic = '', event = ''] = names;
  return {
    joinRef: joinRef === '' ? null : joinRef,
    ref: ref === '' ? null : ref,
    topic,
    event: 'broadcast',
    payload: undefined,
    push: {
      event,
      encoding: encoding === JSON_ENCODING ? 'json' : 'binary',
      bytes: data.subarray(offset),
    },
  };
}

function readNames(parts: readonly Buffer[]): readonly string[] | undefined {
  try {
    return parts.slice(0, 4).map((part) => decoder.decode(part));
  } catch {
    return undefined;
  }
}
