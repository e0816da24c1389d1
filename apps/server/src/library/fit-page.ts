/**
 * As many of the items as fit, the first in any case.
 * @param hasMore whether there are others behind them
 * @param cursorAfter where to go on behind so many of them
 * @param mostBytes of the items as JSON, in UTF-8
 */
export function fitPage<T>(
  items: readonly T[],
  hasMore: boolean,
  cursorAfter: (count: number) => string,
  mostBytes: number,
): { readonly items: readonly T[]; readonly next_cursor: string | null } {
  let bytes = 0;
  let count = 0;
  for (const item of items) {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    if (count > 0 && bytes > mostBytes) break;
    count += 1;
  }
  const isWhole = count === items.length && !hasMore;
  return { items: items.slice(0, count), next_cursor: isWhole ? null : cursorAfter(count) };
}
