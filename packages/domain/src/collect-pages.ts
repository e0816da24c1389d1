/** Rows asked for at once: a hosted table API gives no more than this. */
const COLLECT_PAGE_SIZE = 1000;

/** Ids named in one address: a gateway takes no more than 16 KiB of it. */
const IDS_AT_ONCE = 100;

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

/** Reads what belongs to the given ids, so many at a time. */
export async function collectByIds<Row>(
  ids: readonly string[],
  readPart: (part: readonly string[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const starts = Array.from({ length: Math.ceil(ids.length / IDS_AT_ONCE) }, (_, at) => at * IDS_AT_ONCE);
  return (await Promise.all(starts.map((at) => readPart(ids.slice(at, at + IDS_AT_ONCE))))).flat();
}
