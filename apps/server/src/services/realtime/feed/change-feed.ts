/** A column as pgoutput's relation message describes it. `isKey`: part of the replica identity, with identity full each is. */
export type FeedColumn = { readonly name: string; readonly typeOid: number; readonly isKey: boolean };

/** One object a table and shape: the same object until the table changes, so that what is derived from it can be kept. */
export type FeedTable = {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly FeedColumn[];
  /** `f`: the whole old row travels with updates and deletions (replica identity full). */
  readonly identity: 'd' | 'n' | 'f' | 'i';
};

/** Values in Postgres' text form, in the order of the table's columns; `undefined` is one that was not sent (unchanged TOAST). */
export type RowText = readonly (string | null | undefined)[];

export type RowChange = {
  readonly type: 'INSERT' | 'UPDATE' | 'DELETE';
  readonly table: FeedTable;
  /** Null for DELETE. With identity full, unsent values are filled in from the old row. */
  readonly row: RowText | null;
  /** The old row: whole with identity full, else key columns only (the others undefined); null where none was sent. */
  readonly oldRow: RowText | null;
  /** When the transaction committed. */
  readonly committedAt: Date;
  /** The position of the commit, as a number that grows. */
  readonly commitLsn: bigint;
};

/** What listens to the feed. Called in commit order; must not throw; a slow one must queue for itself, within a bound. */
export type FeedListener = {
  change?(change: RowChange): void;
  /** What somebody emitted with `pg_logical_emit_message` under this prefix, on whichever copy. */
  message?(prefix: string, content: Buffer): void;
  /** The transaction whose changes were just received is complete. */
  commit?(commitLsn: bigint): void;
  /**
   * Changes may have been missed since the last one received: the slot was lost, or a table was emptied by TRUNCATE. Told once the
   * feed is live again, so that what is fetched now and what is received from now on leave nothing out.
   */
  gap?(reason: string): void;
};

/** One reader of the database's log a server copy. */
export type ChangeFeed = {
  /** @returns the way to stop listening. */
  listen(listener: FeedListener): () => void;
  /** Whether changes made from now on will be received. */
  isLive(): boolean;
  /** Resolves as soon as the feed is live; rejects with the reason when it cannot be within `patienceMs`. */
  whenLive(patienceMs: number): Promise<void>;
  stop(): Promise<void>;
};

/** What an operator may ask about the feed; counted since the start of the process. */
export type FeedFigures = {
  readonly live: boolean;
  readonly commits: number;
  readonly changes: number;
  readonly messages: number;
  readonly gaps: number;
  readonly connections: number;
  /** From the commit of the transaction received last until it was received, by this machine's clock and the database's. */
  readonly lagMs: number;
  /** Log that was written and not yet read when it was last looked at. */
  readonly lagBytes: number;
};

export type FeedLimits = {
  /** A feed that nobody listens to is closed after this long. */
  readonly lingerMs: number;
  /** Unread log that Postgres may keep for us, and how often that is looked at while something is received. */
  readonly maxBacklogBytes: number;
  readonly backlogEveryMs: number;
  /** A connection that nothing was received from for two of these is dead. */
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

/** The database is not set up for a change feed; waiting does not help, an operator does. */
export class FeedSetupError extends Error {
  override readonly name = 'FeedSetupError';
  readonly lack: 'wal_level' | 'publication';

  constructor(lack: FeedSetupError['lack'], message: string) {
    super(message);
    this.lack = lack;
  }
}

/** @returns a position in the write-ahead log, written by Postgres as `16/B374D848`, as a number that grows. */
export function parseWalPosition(text: string): bigint {
  const [upper = '0', lower = '0'] = text.split('/');
  return (BigInt(`0x${upper}`) << 32n) | BigInt(`0x${lower}`);
}

/** The reverse of `parseWalPosition`. */
export function formatWalPosition(position: bigint): string {
  return `${(position >> 32n).toString(16)}/${(position & 0xffff_ffffn).toString(16)}`.toUpperCase();
}
