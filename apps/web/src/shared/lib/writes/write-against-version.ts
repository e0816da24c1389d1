import { EditConflict, RowGone, RowUnread } from './edit-conflict.ts';

/** A row whose every change moves `updated_at`. */
export interface VersionedRow {
  readonly updated_at: string;
}

interface VersionedWrite<Row extends VersionedRow> {
  /** The row as it was when the edit began. */
  readonly base: Row;
  /** The fields that the form edits, as they shall be. */
  readonly wanted: Partial<Row>;
  /** Writes if the row still has this `updated_at`; null when no row has. */
  readonly write: (updatedAt: string) => Promise<Row | null>;
  /** Reads the row as it is; null when it is gone. */
  readonly read: () => Promise<Row | null>;
}

/** A row that is touched again between each of these is somebody's at this very moment. */
const ATTEMPTS = 3;

/**
 * Writes an edit unless what it edits has changed since it began. A row that changed in other ways alone (it was shared
 * or moved, an earlier edit of one's own was still under way) is written all the same; one that already is as wanted (the
 * answer of an earlier attempt was lost) counts as written.
 * @throws EditConflict with the row as it is, RowGone, RowUnread, or what `write` throws.
 */
export async function writeAgainstVersion<Row extends VersionedRow>({
  base,
  wanted,
  write,
  read,
}: VersionedWrite<Row>): Promise<Row> {
  let { updated_at: version } = base;
  for (let attempt = 1; ; attempt += 1) {
    const stored = await write(version);
    if (stored !== null) return stored;
    const current = await readAgain(read);
    if (agree(wanted, wanted, current)) return current;
    if (!agree(wanted, base, current) || attempt === ATTEMPTS) throw new EditConflict(current);
    version = current.updated_at;
  }
}

async function readAgain<Row>(read: () => Promise<Row | null>): Promise<Row> {
  const current = await read().catch((cause: unknown) => {
    throw new RowUnread('the row could not be read again', { cause });
  });
  if (current === null) throw new RowGone('the row is gone');
  return current;
}

/** Whether two rows are the same in all fields that `named` has. */
function agree<Row extends object>(named: Partial<Row>, a: Partial<Row>, b: Row): boolean {
  return (Object.keys(named) as (keyof Row)[]).every((field) => (a[field] ?? null) === (b[field] ?? null));
}
