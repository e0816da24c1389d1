import { createHash } from 'node:crypto';
import type { RowText } from '../../feed/change-feed.ts';
import type { BoundTable } from '../catalogue/bound-table.ts';
import type { PublishedTable } from '../catalogue/publication.ts';

/** A statement and the name it is prepared under. */
export type RowCheck = { readonly text: string; readonly name: string };

/** Names with a space in them: no column that a policy means can hide behind them. */
const ROWS = '"realtime rows"("realtime row", "realtime place")';
const JSON_TYPES: ReadonlySet<number> = new Set([114, 3802]);

/**
 * A statement that answers which rows of `$1` (see `renderRows`) meet the condition, by their place in the list. The rows
 * stand under the table's own name and have its row type, as the condition expects. The condition's own parameters begin at `$2`.
 */
export function renderRowCheck({ schema, name }: PublishedTable, condition: string): RowCheck {
  return named(`select "realtime place"::integer as place
from json_array_elements($1::json) with ordinality as ${ROWS}
cross join lateral json_populate_record(null::${quote(schema)}.${quote(name)}, "realtime row") as ${quote(name)}
where (${condition})`);
}

/**
 * The same asked of the table itself: which of the rows are in it now, as they are in `$1` as far as the named columns go,
 * and visible to the caller.
 */
export function renderTableCheck(table: BoundTable, columns: readonly string[]): RowCheck {
  const { schema, name } = table.published;
  const key = table.primaryKey.map(
    (column) => `"realtime found".${quote(column.name)} = "realtime wanted".${quote(column.name)}`,
  );
  const same = columns.map(
    (column) => `"realtime found".${quote(column)} is not distinct from "realtime wanted".${quote(column)}`,
  );
  return named(`select "realtime place"::integer as place
from json_array_elements($1::json) with ordinality as ${ROWS}
cross join lateral json_populate_record(null::${quote(schema)}.${quote(name)}, "realtime row") as "realtime wanted"
join ${quote(schema)}.${quote(name)} as "realtime found" on ${[...key, ...same].join(' and ')}`);
}

/** Rows as a JSON list. Every value goes as its text, which the type's own input function reads; JSON as it is. */
export function renderRows({ columns }: BoundTable, rows: readonly RowText[]): string {
  const records = rows.map((row) => {
    const values = columns.flatMap(({ name, position, baseOid }) => {
      const value = row[position];
      if (value === undefined || value === null) return [];
      return `${JSON.stringify(name)}:${JSON_TYPES.has(baseOid) ? value : JSON.stringify(value)}`;
    });
    return `{${values.join(',')}}`;
  });
  return `[${records.join(',')}]`;
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function named(text: string): RowCheck {
  return { text, name: `realtime_${createHash('sha256').update(text).digest('hex').slice(0, 40)}` };
}
