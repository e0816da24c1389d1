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
