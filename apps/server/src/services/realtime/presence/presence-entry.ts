/** One client's presence in a topic: what the others are told of it. */
export type PresenceEntry = {
  /** `copy:channel`: one entry a channel, wherever it is connected. */
  readonly id: string;
  /** The copy that holds its connection. */
  readonly copyId: string;
  readonly key: string;
  readonly ref: string;
  /** The whole meta object, `phx_ref` included, as JSON text. */
  readonly metaJson: string;
};

/** What has come and gone in a topic since the last time it was told. */
export type PresenceDiff = {
  readonly topic: string;
  readonly isPrivate: boolean;
  readonly joins: readonly PresenceEntry[];
  readonly leaves: readonly PresenceEntry[];
};
