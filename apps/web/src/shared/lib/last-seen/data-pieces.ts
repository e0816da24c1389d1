/** Data of a cached read, taken apart for keeping. */
export interface DataPieces {
  readonly pieces: readonly object[];
  readonly pageParams: readonly unknown[] | null;
}

interface Pages {
  readonly pages: readonly object[];
  readonly pageParams: readonly unknown[];
}

function isPages(data: object): data is Pages {
  return 'pages' in data && 'pageParams' in data;
}

/**
 * The pages of an endless list one by one, anything else in one piece. The query cache keeps a page that has not
 * changed as the same object: only the page of a changed row is written again.
 */
export function takeApart(data: object): DataPieces {
  if (isPages(data)) return { pieces: data.pages, pageParams: data.pageParams };
  return { pieces: [data], pageParams: null };
}

/** The opposite of `takeApart`. */
export function putTogether({ pieces, pageParams }: DataPieces): unknown {
  return pageParams === null ? pieces[0] : { pages: pieces, pageParams };
}
