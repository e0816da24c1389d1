/** Discovery documents and key sets are a few KiB. */
const MAX_BYTES = 256 * 1024;

/**
 * `fetch` for the documents and answers of somebody who says who people are: it follows no redirect, and of a longer answer than 256 KiB it keeps nothing.
 * @throws Error for an answer that is too long
 */
export async function boundedFetch(address: string, options: object): Promise<Response> {
  const response = await fetch(address, { ...options, redirect: 'manual' });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    // Leaving the loop cancels the rest.
    if (length > MAX_BYTES) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  const { status, headers } = response;
  const body = chunks.length === 0 ? null : Buffer.concat(chunks);
  return new Response(body, { status, headers });
}
