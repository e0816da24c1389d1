import { COPY_MESSAGES, describeCopied } from '@linkoteca/domain/access-messages';
import { UNDO_MESSAGES } from '@linkoteca/domain/undo-messages';
import { useNavigate } from '@tanstack/react-router';
import { copySharedCategory, discardCopy } from '../../features/sharing/api/copy-shared-category.ts';
import { log } from '../../shared/lib/log.ts';
import { useUserId } from '../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../shared/lib/supabase/backend-context.tsx';
import { useSingleFlight } from '../../shared/lib/use-single-flight.ts';
import { toast } from '../../shared/ui/toast.ts';
import { useReceivedLimitToast } from '../organiser/use-received-limit-toast.ts';
import { describeCopyFailure } from './describe-copy-failure.ts';
import { discardFolder, makeFolder } from './make-folder.ts';

interface CopyOptions {
  readonly categoryId: string;
  readonly onBusy: (busy: boolean) => void;
  /** The id of the copy; null when it was taken back. */
  readonly onCopied: (copyId: string | null) => void;
}

/** A folder of one's own; without an id it is made first, and goes again with the copy. */
export interface TargetFolder {
  readonly id: string | null;
  readonly name: string;
}

/** Copies the category, says how that ended, and offers the way back. */
export function useCopyCategory({ categoryId, onBusy, onCopied }: CopyOptions) {
  const database = useDatabase();
  const userId = useUserId();
  const navigate = useNavigate();
  const tellReceivedLimit = useReceivedLimitToast();

  const undo = async (copyId: string, madeFolderId: string | null) => {
    try {
      await discardCopy(database, userId, copyId);
      if (madeFolderId !== null) await discardFolder(database, userId, madeFolderId);
      onCopied(null);
      toast.success(COPY_MESSAGES.undone);
    } catch (error) {
      log.warn('a copy could not be taken back', error);
      toast.error(COPY_MESSAGES.undoFailed, COPY_MESSAGES.failedHint);
    }
  };
  const fail = (error: unknown) => {
    log.warn('a category could not be copied', error);
    const failure = describeCopyFailure(error);
    if (failure === 'received-limit') return tellReceivedLimit();
    toast.error(failure.title, failure.description);
    if (failure.atLimit) void navigate({ to: '/plans' });
  };
  return useSingleFlight(async (folder: TargetFolder) => {
    let madeFolderId: string | null = null;
    onBusy(true);
    try {
      if (folder.id === null) madeFolderId = await makeFolder(database, userId, folder.name);
      const copyId = await copySharedCategory(database, categoryId, folder.id ?? madeFolderId ?? '');
      onCopied(copyId);
      const made = madeFolderId;
      toast.success(describeCopied(folder.name), undefined, {
        action: { label: UNDO_MESSAGES.undo, onPress: () => void undo(copyId, made) },
      });
    } catch (error) {
      // Nothing was copied: an empty folder would be all that is left of it.
      if (madeFolderId !== null) await discardFolder(database, userId, madeFolderId).catch(log.warn);
      fail(error);
    } finally {
      onBusy(false);
    }
  });
}
