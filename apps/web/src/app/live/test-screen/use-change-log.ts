import { useEffect, useState } from 'react';
import type { TableChange } from '../../../shared/lib/realtime/table-change.ts';
import { useLiveStore } from '../live-context.tsx';

export interface LoggedChange {
  readonly key: number;
  readonly at: Date;
  readonly change: TableChange;
}

/** Older ones go. */
const MOST_ENTRIES = 100;

/** The changes that arrived since the screen was opened, the newest first. */
export function useChangeLog(): { readonly entries: readonly LoggedChange[]; readonly clear: () => void } {
  const store = useLiveStore();
  const [entries, setEntries] = useState<readonly LoggedChange[]>([]);
  useEffect(() => {
    let count = 0;
    return store.onChange((change) => {
      count += 1;
      const entry = { key: count, at: new Date(), change };
      setEntries((before) => [entry, ...before].slice(0, MOST_ENTRIES));
    });
  }, [store]);
  return { entries, clear: () => setEntries([]) };
}
