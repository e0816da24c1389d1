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

/** What hears the feed. Called in commit order; must not throw; a slow one must queue for itself, within a bound. */
export type FeedListener = {
  change?(change: RowChange): void;
  /** What somebody emitted with `pg_logical_emit_message` under this prefix, on whichever copy. */
  message?(prefix: string, content: Buffer): void;
  /** The transaction whose changes were just heard is complete. */
  commit?(commitLsn: bigint): void;
  /**
   * Changes may have been missed since the last one heard: the slot was lost, or a table was emptied by TRUNCATE. Told once the
   * feed is live again, so that what is fetched now and what is heard from now on leave nothing out.
   */
  gap?(reason: string): void;
};

/** One reader of the database's log a server copy. */
export type ChangeFeed = {
  /** @returns the way to stop listening. */
  listen(listener: FeedListener): () => void;
  /** Whether changes made from now on will be heard. */
  isLive(): boolean;
  /** Resolves as soon as the feed is live; rejects with the reason when it cannot be within `patienceMs`. */
  whenLive(patienceMs: number): Promise<void>;
  stop(): Promise<void>;
};
