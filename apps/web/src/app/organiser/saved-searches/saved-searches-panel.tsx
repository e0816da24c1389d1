import { useMatch } from '@tanstack/react-router';
import { useSavedSearches } from '../../../features/saved-searches/api/list-saved-searches.ts';
import { SavedSearchesGroup } from '../../../features/saved-searches/components/saved-searches-group.tsx';
import { SavedSearchesRail } from '../../../features/saved-searches/components/saved-searches-rail.tsx';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { useOrganiserDialogs } from '../dialogs/organiser-dialogs-context.ts';
import { useSavedSearchActs } from './use-saved-search-acts.ts';

interface SavedSearchesPanelProps {
  readonly collapsed: boolean;
  readonly onOpen: () => void;
}

/** The saved searches in the sidebar; nothing where there is none. */
export function SavedSearchesPanel({ collapsed, onOpen }: SavedSearchesPanelProps) {
  const searches = useSavedSearches().data ?? [];
  const ask = useOrganiserDialogs();
  const { remove } = useSavedSearchActs();
  const { publicPagesDrawn } = useBackend().config;
  const activeQuestion =
    useMatch({
      from: '/shell/search',
      shouldThrow: false,
      select: ({ search }) => search.q?.trim() ?? null,
    }) ?? null;
  if (searches.length === 0) return null;
  if (collapsed) return <SavedSearchesRail searches={searches} activeQuestion={activeQuestion} />;
  return (
    <SavedSearchesGroup
      searches={searches}
      activeQuestion={activeQuestion}
      onOpen={onOpen}
      onRename={(search) => ask({ kind: 'rename-search', search })}
      onRemove={(search) => void remove(search)}
      onFollow={
        publicPagesDrawn
          ? ({ id, name }) => ask({ kind: 'feed', subject: { searchId: id }, name })
          : undefined
      }
    />
  );
}
