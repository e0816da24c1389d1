/** Rows asked for at once: a hosted table API gives no more than this. */
const COLLECT_PAGE_SIZE = 1000;

/**
 * Reads a whole list, page after page.
 * @param readPage reads the rows `from` to `to`, both included.
 */
export async function collectPages<Row>(
  readPage: (from: number, to: number) => Promise<readonly Row[]>,
  pageSize = COLLECT_PAGE_SIZE,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const page = await readPage(rows.length, rows.length + pageSize - 1);
    rows.push(...page);
    if (page.length < pageSize) return rows;
  }
}
