/** What came of asking for a page's own image. A failure is an answer like others: nothing is broken by it. */
export type PageImage =
  | { readonly kind: 'found'; readonly image: Blob }
  /** The page has none, cannot be reached, or is none. */
  | { readonly kind: 'none' }
  /** Too many were asked for in a short time. */
  | { readonly kind: 'busy'; readonly waitMs: number }
  /** The service itself did not answer. */
  | { readonly kind: 'unavailable' };

const ABOUT_THE_PAGE = new Set([400, 413, 422, 502, 504]);
const USUAL_WAIT_S = 15;

/** Asks the service for the own image of a page, as it is. */
export async function fetchPageImage(
  send: typeof fetch,
  serviceUrl: string,
  url: string,
): Promise<PageImage> {
  try {
    const response = await send(`${serviceUrl}/functions/v1/link-cover`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url }),
    });
    if (response.ok) return { kind: 'found', image: await response.blob() };
    if (response.status === 429) {
      const seconds = Number(response.headers.get('retry-after')) || USUAL_WAIT_S;
      return { kind: 'busy', waitMs: Math.min(seconds, 60) * 1_000 };
    }
    return { kind: ABOUT_THE_PAGE.has(response.status) ? 'none' : 'unavailable' };
  } catch {
    return { kind: 'unavailable' };
  }
}
