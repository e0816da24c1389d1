/** One object as it is kept: its JSON, and what has to be found without reading it. */
export type StoredRow = {
  readonly id: string;
  /** Stripe's word for the object (`customer`, `invoice`), or one of the emulator's own (`emulator.delivery`). */
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** When the emulator has to do something about it by itself; milliseconds since 1970, on the emulator's clock. */
  readonly dueAt: number | null;
};

export type StoreQuery = {
  readonly kind: string;
  /** Every field given must have exactly this value. */
  readonly match?: Readonly<Record<string, unknown>>;
  /** Only what was stored before this object, as Stripe's lists mean it, whose newest object comes first. */
  readonly startingAfter?: string | undefined;
  /** Only what was `created` at this moment or later; seconds since 1970. */
  readonly createdFrom?: number | undefined;
  readonly limit?: number;
};

/** What is written is seen by later reads of the same transaction. Rows are copies: nothing else changes them. */
export type StoreTransaction = {
  find(id: string): Promise<StoredRow | undefined>;
  /** Newest first. */
  list(query: StoreQuery): Promise<readonly StoredRow[]>;
  /** What has waited longest of what is due at that moment. */
  listDue(kind: string, at: number, limit: number): Promise<readonly StoredRow[]>;
  /** The moment at which something of these kinds is due next; null: nothing waits. */
  findNextDue(kinds: readonly string[]): Promise<number | null>;
  save(rows: readonly StoredRow[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
};

/** Where the emulator keeps its objects. Copies of the server that share one store behave as one payment provider. */
export type EmulatorStore = {
  /** Runs alone: no other `change`, of whatever copy of the server, runs meanwhile. Nothing stays when `run` rejects. */
  change<T>(run: (transaction: StoreTransaction) => Promise<T>): Promise<T>;
  /** Sees what has been committed and waits for nobody. Must not write. */
  read<T>(run: (transaction: StoreTransaction) => Promise<T>): Promise<T>;
};
