import { useWriteSavedSearch } from '../../../features/saved-searches/api/write-saved-search.ts';
import { SAVED_SEARCH_MESSAGES as TEXT } from '../../../features/saved-searches/model/saved-search-messages.ts';
import {
  nameOfQuestion,
  type SavedSearch,
} from '../../../features/saved-searches/model/saved-search-rows.ts';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { createId } from '../../../shared/lib/writes/create-id.ts';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { followWithUndo } from '../../../shared/ui/feedback/toast-with-undo.ts';
import { useOrganiserDialogs } from '../dialogs/organiser-dialogs-context.ts';

/** What can be done with saved searches, and what is said of it. */
export function useSavedSearchActs() {
  const { mutateAsync } = useWriteSavedSearch();
  const ask = useOrganiserDialogs();
  const attempt = async (change: Parameters<typeof mutateAsync>[0], failed: string): Promise<boolean> => {
    try {
      await mutateAsync(change);
      return true;
    } catch (error) {
      toast.error(failed, describeError(error, TEXT.tryAgain));
      return false;
    }
  };
  const bringBack = async (search: SavedSearch) => {
    if (await attempt({ kind: 'add', search }, TEXT.backFailed)) toast.success(TEXT.back, search.name);
  };
  return {
    save: async (question: string) => {
      const search = {
        id: createId(),
        name: nameOfQuestion(question),
        question,
        created_at: new Date().toISOString(),
      };
      if (!(await attempt({ kind: 'add', search }, TEXT.saveFailed))) return;
      const action = { label: TEXT.giveName, onPress: () => ask({ kind: 'rename-search', search }) };
      toast.success(TEXT.saved, TEXT.savedWhere, { action });
    },
    rename: async (search: SavedSearch, name: string) => {
      const renamed = await attempt({ kind: 'rename', search: { ...search, name } }, TEXT.renameFailed);
      if (renamed) toast.success(TEXT.renamed);
      return renamed;
    },
    remove: async (search: SavedSearch) => {
      const removed = attempt({ kind: 'remove', search }, TEXT.removeFailed);
      await followWithUndo(
        removed.then((done) => (done ? search : null)),
        { describe: () => TEXT.removed, undo: (gone) => void bringBack(gone) },
      );
    },
  };
}
