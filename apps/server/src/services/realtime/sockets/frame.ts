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
