import { readJson } from './read-json.ts';

/** Two ids and an address. */
const MAX_BODY_CHARACTERS = 8_000;

/** A body that is one small JSON object. @returns undefined for anything else. */
export async function readFields(request: Request): Promise<Readonly<Record<string, unknown>> | undefined> {
  const body = await readJson(request, MAX_BODY_CHARACTERS);
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : undefined;
}
