import type { QueryClient } from '@tanstack/react-query';
import type { Outcome } from './apply-changes.ts';

interface AskAgainOptions {
  readonly queryClient: QueryClient;
  /** Reads the true number of links of these categories and shows it. */
  readonly recount: (categoryIds: readonly string[]) => Promise<void>;
}

/** Asked when changes have rested for so long, and however they go on after the longest. Milliseconds. */
const REST_MS = 400;
const LONGEST_MS = 3_000;
/** What a person waits for: nothing else shows it. */
const AT_ONCE: ReadonlySet<string> = new Set(['subscription', 'received-shares']);

/** Has the service confirm and complete what changes left open: once for a burst, and only what is on the screen. */
export function askAgainSoon({ queryClient, recount }: AskAgainOptions) {
  const names = new Set<string>();
  const categories = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let since = 0;

  const ask = (name: string) => {
    // Out of sight: asked when somebody looks.
    void queryClient.invalidateQueries({ queryKey: [name], refetchType: 'active' });
  };
  const run = () => {
    // An answer from the middle of a write would take back what is shown ahead.
    if (queryClient.isMutating() > 0) return wait();
    since = 0;
    for (const name of names) ask(name);
    if (categories.size > 0) void recount([...categories]);
    names.clear();
    categories.clear();
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(run, REST_MS);
  };
  return {
    note: (outcome: Pick<Outcome, 'recount' | 'askAgain'>) => {
      for (const name of outcome.askAgain) {
        if (AT_ONCE.has(name)) ask(name);
        else names.add(name);
      }
      for (const id of outcome.recount) categories.add(id);
      if (names.size === 0 && categories.size === 0) return;
      if (since === 0) since = Date.now();
      if (Date.now() - since < LONGEST_MS) wait();
    },
    stop: () => clearTimeout(timer),
  };
}
