import type { FeedTable, RowChange } from '../feed/change-feed.ts';

/** A row of `realtime.messages`. */
export type StoredMessage = {
  readonly id: string;
  readonly topic: string;
  readonly event: string;
  readonly isPrivate: boolean;
  /** JSON text; null when the payload is bytes. */
  readonly payloadJson: string | null;
  readonly bytes: Buffer | null;
};

/** A row of `realtime.messages` as a query returns it, the payload as text. */
export type MessageRow = {
  readonly id: string;
  readonly topic: string;
  readonly event: string;
  readonly private: boolean | null;
  readonly payload: string | null;
  readonly binary_payload: Buffer | null;
};

export function toStoredMessage(row: MessageRow): StoredMessage {
  const { id, topic, event, binary_payload: bytes } = row;
  // Without any payload it is JSON's null that is broadcast.
  return {
    id,
    topic,
    event,
    isPrivate: row.private === true,
    payloadJson: bytes === null ? (row.payload ?? 'null') : null,
    bytes,
  };
}

type Positions = Readonly<Record<keyof typeof COLUMNS, number>>;
const COLUMNS = {
  id: true,
  topic: true,
  extension: true,
  event: true,
  private: true,
  payload: true,
  binary_payload: true,
};

/** The feed gives one table object until the table changes. */
const known = new WeakMap<FeedTable, Positions>();

/** The broadcast that a change of `realtime.messages` stands for; null for every other change. */
export function readMessageChange({ type, table, row }: RowChange): StoredMessage | null {
  if (type !== 'INSERT' || row === null || table.schema !== 'realtime' || table.name !== 'messages')
    return null;
  const at = positionsOf(table);
  const [id, topic, event] = [row[at.id], row[at.topic], row[at.event]];
  if (row[at.extension] !== 'broadcast') return null;
  if (typeof id !== 'string' || typeof topic !== 'string' || typeof event !== 'string') return null;
  return toStoredMessage({
    id,
    topic,
    event,
    private: row[at.private] === 't',
    payload: row[at.payload] ?? null,
    binary_payload: readBytes(row[at.binary_payload] ?? null),
  });
}

function positionsOf(table: FeedTable): Positions {
  const before = known.get(table);
  if (before !== undefined) return before;
  const names = table.columns.map(({ name }) => name);
  const entries = Object.keys(COLUMNS).map((column) => [column, names.indexOf(column)]);
  const positions = Object.fromEntries(entries) as Positions;
  known.set(table, positions);
  return positions;
}

/** Postgres' text form of bytes: `\x` and two digits a byte (`bytea_output = hex`, the default). */
function readBytes(text: string | null): Buffer | null {
  return text === null ? null : Buffer.from(text.slice(2), 'hex');
}
