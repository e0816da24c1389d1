import { BookmarkCheck, BookmarkPlus } from 'lucide-react';
import { useSavedSearches } from '../../../features/saved-searches/api/list-saved-searches.ts';
import { SAVED_SEARCH_MESSAGES as TEXT } from '../../../features/saved-searches/model/saved-search-messages.ts';
import { SAVED_SEARCH_LIMITS } from '../../../features/saved-searches/model/saved-search-rows.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { useSavedSearchActs } from './use-saved-search-acts.ts';

export interface SaveSearchProps {
  /** A question that asks for something, without blanks around it. */
  readonly question: string;
  readonly quiet?: boolean;
}

/** 'Guardar busca': keeps a question in the sidebar, and takes it out again. */
export function SaveSearch({ question, quiet = false }: SaveSearchProps) {
  const { data: searches } = useSavedSearches();
  const acts = useSavedSearchActs();
  if (searches === undefined || [...question].length > SAVED_SEARCH_LIMITS.question) return null;
  const kept = searches.find((search) => search.question === question);
  return (
    <Button
      variant={quiet ? 'quiet' : 'secondary'}
      icon={kept ? <BookmarkCheck aria-hidden /> : <BookmarkPlus aria-hidden />}
      aria-pressed={kept !== undefined}
      title={kept && TEXT.takeOut}
      // In the dropdown of the search the field keeps the focus.
      onPointerDown={quiet ? (event) => event.preventDefault() : undefined}
      onMouseDown={quiet ? (event) => event.preventDefault() : undefined}
      onClick={() => void (kept ? acts.remove(kept) : acts.save(question))}
    >
      {kept ? TEXT.kept : TEXT.save}
    </Button>
  );
}
