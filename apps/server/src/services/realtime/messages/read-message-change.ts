import type { StoredMessage } from '../authorization/topic-access.ts';
import type { FeedTable, RowChange } from '../feed/change-feed.ts';
import { toStoredMessage } from './to-stored-message.ts';

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
