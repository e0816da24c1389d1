import { cleanLine } from '@linkoteca/domain/text';
import type { QueryClient } from '@tanstack/react-query';
import { createId } from './create-id.ts';

/** What is asked for: its name, in its place, the folder of a category, '' for a folder; and what is shown under an id. */
interface Wanted {
  readonly place: string;
  readonly name: string;
  readonly find: (id: string) => { readonly name: string; readonly folder_id?: string } | undefined;
}

interface Attempt {
  readonly id: string;
  readonly at: number;
}

/** How long nothing may be shown of what was made. Later it is deleted: under its id the one in the bin could not come back. */
const UNSHOWN_MS = 5 * 60_000;

const attemptsOf = new WeakMap<QueryClient, Map<string, Attempt>>();

/**
 * Makes something under the id of the attempt before, where that failed or its answer was lost: so nothing is made twice, whichever form
 * tries again. What was made may be renamed, moved or deleted, and the next one is another.
 */
export async function makeOnce(
  queryClient: QueryClient,
  { place, name, find }: Wanted,
  make: (id: string) => Promise<unknown>,
): Promise<string> {
  const attempts = attemptsOf.get(queryClient) ?? new Map<string, Attempt>();
  attemptsOf.set(queryClient, attempts);
  const key = `${place} ${name}`;
  const before = attempts.get(key);
  const shown = before && find(before.id);
  const isSame = shown
    ? shown.name === cleanLine(name) && (shown.folder_id ?? '') === place
    : before && Date.now() - before.at < UNSHOWN_MS;
  const id = before && isSame ? before.id : createId();
  attempts.set(key, { id, at: Date.now() });
  await make(id);
  attempts.delete(key);
  return id;
}
