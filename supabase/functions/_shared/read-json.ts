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
