/** What is read of an answer: a subset of `Response`. */
export type PageResponse = {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** Decompressed. Breaking off an iteration closes the connection. */
  readonly body: AsyncIterable<Uint8Array> | null;
};

/** What is asked of a site where it is no page. */
export type PageWish = {
  /** The header of this name. */
  readonly accept: string;
  /** Bytes on the wire that are read at most. */
  readonly maxWireBytes: number;
};

/**
 * Asks for one address and follows no redirect. It never connects to an address that is not public, whatever the name says.
 * @throws PreviewError `private_name`, or any error when the site cannot be reached.
 */
export type FetchPage = (url: URL, signal: AbortSignal, wish?: PageWish) => Promise<PageResponse>;

/** Says who asks, and for whom: no cookies, no referrer. */
export const PAGE_REQUEST_HEADERS = {
  accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1',
  'accept-language': 'pt-BR,pt;q=0.9,en;q=0.5',
  'user-agent': 'Mozilla/5.0 (compatible; Linkoteca/1.0; link preview)',
} as const;
