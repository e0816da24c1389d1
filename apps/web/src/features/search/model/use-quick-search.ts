import type { SearchResult } from '@linkoteca/domain/entities';
import { SEARCH } from '@linkoteca/domain/limits';
import { SEARCH_MESSAGES } from '@linkoteca/domain/link-messages';
import { useEffect, useState } from 'react';
import { useDebouncedValue } from '../../../shared/lib/use-debounced-value.ts';
import { toast } from '../../../shared/ui/toast.ts';
import { useSearchLinks } from '../api/search-links.ts';

export interface QuickSearch {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly clear: () => void;
  /** True while what is typed has no answer yet. */
  readonly loading: boolean;
  /** Null until something was searched. They may belong to an earlier term while `loading`. */
  readonly results: readonly SearchResult[] | null;
  /** The term the results belong to, for highlighting. */
  readonly answeredTerm: string;
}

/** The state of the quick search: what is typed, and after 300 ms of silence what it finds. */
export function useQuickSearch(): QuickSearch {
  const [text, setText] = useState('');
  const typed = text.trim();
  const rested = useDebouncedValue(typed, SEARCH.debounceMs);
  // Emptying the box takes effect at once: nobody waits for nothing.
  const term = typed === '' ? '' : rested;
  const query = useSearchLinks(term);

  const { isError, errorUpdatedAt } = query;
  useEffect(() => {
    if (isError && errorUpdatedAt > 0)
      toast.error(SEARCH_MESSAGES.failed.title, SEARCH_MESSAGES.failed.description);
  }, [isError, errorUpdatedAt]);

  const answer = term === '' || isError ? undefined : query.data;
  return {
    text,
    setText,
    clear: () => setText(''),
    loading: typed !== '' && !isError && (typed !== term || answer?.term !== term),
    results: isError && typed === term ? [] : (answer?.results ?? null),
    answeredTerm: answer?.term ?? '',
  };
}
