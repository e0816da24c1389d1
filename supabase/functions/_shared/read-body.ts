/** Two ids and an address. */
const MAX_BODY_CHARACTERS = 8_000;

/** A body that is one small JSON object. @returns undefined for anything else. */
export async function readFields(request: Request): Promise<Readonly<Record<string, unknown>> | undefined> {
  const body = await readJson(request, MAX_BODY_CHARACTERS);
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : undefined;
}

/** A body of JSON, at most so many characters. @returns undefined for anything else. */
export async function readJson(request: Request, maxCharacters: number): Promise<unknown> {
  if (Number(request.headers.get('content-length')) > maxCharacters) return undefined;
  const text = await request.text();
  if (text.length > maxCharacters) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

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
