/** What Node's `fetch` unpacks. */
const UNPACKED = /^(?:(?:x-)?gzip|deflate|br|zstd)$/i;

/**
 * As on the platform, an answer that `fetch` has unpacked no longer says that it is packed, nor how long it was then: functions
 * hand answers on as they are.
 */
export function provideFetch(): void {
  const { fetch } = globalThis;
  const value: typeof fetch = async (...asked) => describeUnpacked(await fetch(...asked));
  Object.defineProperty(globalThis, 'fetch', { value, configurable: true, writable: true });
}

function describeUnpacked(response: Response): Response {
  const codings = response.headers.get('content-encoding')?.split(',') ?? [];
  // What the runtime does not know it leaves packed.
  const isUnpacked = codings.length > 0 && codings.every((coding) => UNPACKED.test(coding.trim()));
  if (response.body === null || !isUnpacked) return response;
  const headers = new Headers(response.headers);
  headers.delete('content-encoding');
  headers.delete('content-length');
  return Object.defineProperties(response, {
    headers: { value: headers },
    clone: { value: () => describeUnpacked(Response.prototype.clone.call(response)) },
  });
}
