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

/** What has come and gone in a topic. */
export type PresenceDiff = {
  readonly topic: string;
  readonly isPrivate: boolean;
  readonly joins: readonly PresenceEntry[];
  readonly leaves: readonly PresenceEntry[];
};

/** What is told at once: everything since the last time. */
export type GatheredDiff = PresenceDiff & {
  /** The number of the first of these events, as `PresenceRegister.sequence` counts them. */
  readonly firstSequence: number;
  /** Only what came after the event of that number: for whoever has been told the state since. */
  after(sequence: number): PresenceDiff;
};
