import { cleanLine } from '@linkoteca/domain/text';
import type { QueryClient } from '@tanstack/react-query';
import { createId } from './create-id.ts';

/** What is asked for: its name, in its place, and what is shown under an id. */
interface Wanted {
  readonly place: string;
  readonly name: string;
  readonly find: (id: string) => { readonly name: string } | undefined;
}

const attemptsOf = new WeakMap<QueryClient, Map<string, string>>();

/**
 * Makes something under the id of the attempt before, where that failed or its answer was lost: so nothing is made twice, whichever form
 * tries again. What was made may be renamed or deleted, and the next one is another.
 */
export async function makeOnce(
  queryClient: QueryClient,
  { place, name, find }: Wanted,
  make: (id: string) => Promise<unknown>,
): Promise<string> {
  const attempts = attemptsOf.get(queryClient) ?? new Map<string, string>();
  attemptsOf.set(queryClient, attempts);
  const key = `${place} ${name}`;
  const before = attempts.get(key);
  const known = before && find(before);
  const id = before && (!known || known.name === cleanLine(name)) ? before : createId();
  attempts.set(key, id);
  await make(id);
  attempts.delete(key);
  return id;
}
