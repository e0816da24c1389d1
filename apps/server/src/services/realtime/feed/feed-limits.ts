export type FeedLimits = {
  /** A feed that nobody listens to is closed after this long. */
  readonly lingerMs: number;
  /** Unread log that Postgres may keep for us, and how often that is looked at while something is heard. */
  readonly maxBacklogBytes: number;
  readonly backlogEveryMs: number;
  /** A connection that nothing was heard from for two of these is dead. */
  readonly silenceMs: number;
  /** An opening that takes longer is logged. */
  readonly slowStartMs: number;
};

export const FEED_LIMITS: FeedLimits = {
  lingerMs: 60_000,
  // Half of what the embedded Postgres keeps before it gives the slot up by itself.
  maxBacklogBytes: 256 * 1024 * 1024,
  backlogEveryMs: 10_000,
  silenceMs: 15_000,
  slowStartMs: 10_000,
};
