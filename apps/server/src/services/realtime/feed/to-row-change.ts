import type { Pgoutput } from 'pg-logical-replication';
import type { FeedTable, RowChange, RowText } from './change-feed.ts';

type RowMessage = Pgoutput.MessageInsert | Pgoutput.MessageUpdate | Pgoutput.MessageDelete;
type Values = Readonly<Record<string, string | null | undefined>>;

/** Puts a pgoutput message, whose values are text by column name, into the table's order of columns. */
export function toRowChange(
  message: RowMessage,
  table: FeedTable,
  commit: Pick<RowChange, 'committedAt' | 'commitLsn'>,
): RowChange {
  const inOrder = (values: Values): RowText => table.columns.map(({ name }) => values[name]);
  switch (message.tag) {
    case 'insert':
      return { type: 'INSERT', table, row: inOrder(message.new), oldRow: null, ...commit };
    case 'update': {
      const old = message.old ?? message.key;
      // What was not sent again is already filled in from a whole old row.
      return { type: 'UPDATE', table, row: inOrder(message.new), oldRow: old && inOrder(old), ...commit };
    }
    case 'delete': {
      const old = message.old ?? message.key;
      return { type: 'DELETE', table, row: null, oldRow: old && inOrder(old), ...commit };
    }
  }
}
