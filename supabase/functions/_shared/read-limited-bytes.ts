/** A request's body as it came, byte by byte. @returns undefined when it is longer than that. */
export async function readLimitedBytes(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get('content-length')) > maxBytes) return undefined;
  const body = new Uint8Array(maxBytes);
  let length = 0;
  for await (const chunk of request.body ?? []) {
    if (length + chunk.length > maxBytes) return undefined;
    body.set(chunk, length);
    length += chunk.length;
  }
  return body.subarray(0, length);
}
