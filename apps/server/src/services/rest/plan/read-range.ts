import type { RowRange } from '../parse/parse-range.ts';
import type { ParsedQuery } from '../parse/request-ast.ts';

/** The root's `limit` and `offset`. */
export function readRange(query: ParsedQuery): RowRange {
  return {
    offset: query.offsets.find(({ path }) => path.length === 0)?.value ?? 0,
    limit: query.limits.find(({ path }) => path.length === 0)?.value,
  };
}
