import { createId } from './create-id.ts';

/**
 * Makes something under the id of the attempt before, where that failed or its answer was lost: so nothing is made twice. What was made
 * may be renamed or deleted, and the next one is another.
 * @param attempts ids of what may have been made, by key.
 */
export async function makeOnce(
  attempts: Map<string, string>,
  key: string,
  make: (id: string) => Promise<unknown>,
): Promise<string> {
  const id = attempts.get(key) ?? createId();
  attempts.set(key, id);
  await make(id);
  attempts.delete(key);
  return id;
}
