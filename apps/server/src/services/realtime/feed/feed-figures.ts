/** What an operator may ask about the feed; counted since the start of the process. */
export type FeedFigures = {
  readonly live: boolean;
  readonly commits: number;
  readonly changes: number;
  readonly messages: number;
  readonly gaps: number;
  readonly connections: number;
  /** From the commit of the transaction heard last until it was heard, by this machine's clock and the database's. */
  readonly lagMs: number;
  /** Log that was written and not yet read when it was last looked at. */
  readonly lagBytes: number;
};
