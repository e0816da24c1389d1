/** A writer that has not written for so long is dead. */
export const DEAD_AFTER_MS = 3_600_000;

/** Where backups lie: a folder, or a prefix of the object storage. */
export type BackupStore = {
  /** For people. */
  readonly label: string;
  /** The backup appears whole, or not at all. @returns its size. @throws BackupError where there is one of that name already. */
  write(name: string, bytes: AsyncIterable<Buffer>): Promise<number>;
  /** @throws BackupError where there is none. */
  read(name: string): AsyncIterable<Buffer>;
  /** The names of all that are whole. */
  list(): Promise<readonly string[]>;
  remove(name: string): Promise<void>;
  /** Throws away what writers that were killed have left. */
  removeUnfinished(before: Date): Promise<void>;
  /** Bytes that may still be written; undefined: without a limit that we know. */
  freeBytes(): Promise<number | undefined>;
};
