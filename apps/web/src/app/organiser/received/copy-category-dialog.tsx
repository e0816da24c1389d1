import { createFolderSchema } from '@linkoteca/domain/library-schemas';
import { FIELD_LIMITS } from '@linkoteca/domain/limits';
import { COPY_MESSAGES, describeCopied } from '@linkoteca/domain/messages/access-messages';
import { CATEGORY_MESSAGES } from '@linkoteca/domain/messages/category-messages';
import { FOLDER_MESSAGES } from '@linkoteca/domain/messages/folder-messages';
import {
  describeCategoryLimit,
  describeLinkLimit,
  type Notice,
} from '@linkoteca/domain/messages/plan-messages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FolderPlus } from 'lucide-react';
import { useFolders } from '../../../features/folders/api/list-folders.ts';
import { copySharedCategory, discardCopy } from '../../../features/sharing/api/copy-shared-category.ts';
import { checkRow } from '../../../shared/lib/check-row.ts';
import { describeError, readError } from '../../../shared/lib/describe-error.ts';
import { log } from '../../../shared/lib/log.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { createId } from '../../../shared/lib/writes/create-id.ts';
import { pendingWritesOf } from '../../../shared/lib/writes/pending-writes.ts';
import { useSingleFlight } from '../../../shared/lib/writes/use-single-flight.ts';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { followWithUndo } from '../../../shared/ui/feedback/toast-with-undo.ts';
import { FolderSpine } from '../../../shared/ui/folder-spine.tsx';
import { PickDialog } from '../../../shared/ui/pickers/pick-dialog.tsx';
import type { PickOption } from '../../../shared/ui/pickers/pick-options.ts';
import { useReceivedLimitToast } from './use-received-limit-toast.ts';

interface CopyCategoryDialogProps {
  readonly open: boolean;
  readonly category: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
  readonly onBusy: (busy: boolean) => void;
  /** The id of the copy; null when it was taken back. */
  readonly onCopied: (copyId: string | null) => void;
}

/** Stands for a folder that is made on the way. */
const NEW_FOLDER = 'new';

/** 'Copiar para minha biblioteca': into which folder? Choosing copies. */
export function CopyCategoryDialog({ open, category, onClose, onBusy, onCopied }: CopyCategoryDialogProps) {
  const folders = useFolders().data;
  const copy = useCopyCategory({ categoryId: category.id, onBusy, onCopied });
  const newName = [...category.name].slice(0, FIELD_LIMITS.folderName).join('').trim();
  const options: readonly PickOption[] = (folders ?? []).map(({ id, name }) => ({
    id,
    name,
    icon: <FolderSpine folderId={id} />,
  }));
  const canCreate = folders?.every(({ name }) => name !== newName);
  const created: PickOption = {
    id: NEW_FOLDER,
    name: newName,
    icon: <FolderPlus aria-hidden className="size-4 shrink-0 text-ink-faint" />,
  };
  return (
    <PickDialog
      open={open}
      onClose={onClose}
      title={COPY_MESSAGES.title}
      description={category.name}
      label={COPY_MESSAGES.searchFolder}
      listLabel={COPY_MESSAGES.folders}
      groups={[
        { label: '', options },
        ...(canCreate ? [{ label: COPY_MESSAGES.newFolder, options: [created] }] : []),
      ]}
      emptyText={folders === undefined ? '' : COPY_MESSAGES.noFolder}
      onPick={(id) => {
        onClose();
        const folder = folders?.find((each) => each.id === id);
        void copy(folder ?? { id: null, name: newName });
      }}
    />
  );
}

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

/** First words of the keys of what a copy changes. */
const CHANGED = ['folders', 'categories', 'library-counts', 'recent-links'] as const;

/** Copies the category, says how that ended, and offers the way back. */
export function useCopyCategory({ categoryId, onBusy, onCopied }: CopyOptions) {
  const database = useDatabase();
  const userId = useUserId();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const tellReceivedLimit = useReceivedLimitToast();

  /** This tab knows that it is its own doing, and has what shows it read again. */
  const tell = (copyId: string, kind: 'add' | 'drop') => {
    pendingWritesOf(queryClient)
      .begin({ table: 'categories', kind, ids: [copyId] })
      .settle();
    for (const name of CHANGED) void queryClient.invalidateQueries({ queryKey: [name] });
  };
  const undo = async (copyId: string, madeFolderId: string | null) => {
    try {
      await discardCopy(database, userId, copyId);
      if (madeFolderId !== null) await discardFolder(database, userId, madeFolderId);
      tell(copyId, 'drop');
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
    // A plan without room is no failure: it is told quietly.
    toast[failure.atLimit ? 'info' : 'error'](failure.title, failure.description);
    if (failure.atLimit) void navigate({ to: '/plans' });
  };
  const copy = async (folder: TargetFolder) => {
    let madeFolderId: string | null = null;
    try {
      if (folder.id === null) madeFolderId = await makeFolder(database, userId, folder.name);
      const copyId = await copySharedCategory(database, categoryId, folder.id ?? madeFolderId ?? '');
      tell(copyId, 'add');
      onCopied(copyId);
      return { copyId, madeFolderId };
    } catch (error) {
      // Nothing was copied: an empty folder would be all that is left of it.
      if (madeFolderId !== null) await discardFolder(database, userId, madeFolderId).catch(log.warn);
      fail(error);
      return null;
    } finally {
      onBusy(false);
    }
  };
  return useSingleFlight(async (folder: TargetFolder) => {
    onBusy(true);
    await followWithUndo(copy(folder), {
      describe: () => describeCopied(folder.name),
      undo: ({ copyId, madeFolderId }) => void undo(copyId, madeFolderId),
    });
  });
}

/**
 * Makes a folder of one's own; returns its id.
 * @throws InvalidRow, or the table API's error; 23505 when the name is taken.
 */
async function makeFolder(database: DatabaseClient, userId: string, name: string): Promise<string> {
  const id = createId();
  const row = checkRow(createFolderSchema, { name, user_id: userId, shared_with: [] });
  await database
    .from('folders')
    .insert({ id, ...row })
    .throwOnError();
  return id;
}

/** Takes a folder away again that was made a moment ago. */
async function discardFolder(database: DatabaseClient, userId: string, id: string): Promise<void> {
  await database.from('folders').delete().eq('id', id).eq('user_id', userId).throwOnError();
}

interface CopyFailure extends Notice {
  /** The plan has no room: the way on leads to the plans. */
  readonly atLimit: boolean;
}

/** Why a category was not copied, in words; 'received-limit' where the plan does not even open it. */
function describeCopyFailure(error: unknown): CopyFailure | 'received-limit' {
  const { code, message } = readError(error);
  const refusal = readRefusal(error);
  if (refusal.kind === 'received_limit') return 'received-limit';
  if (refusal.kind === 'link_limit') return { ...describeLinkLimit(refusal.max), atLimit: true };
  if (refusal.kind === 'category_limit') return { ...describeCategoryLimit(refusal.max), atLimit: true };
  const title = COPY_MESSAGES.failed;
  if (refusal.kind === 'name_taken') return { title, description: FOLDER_MESSAGES.nameTaken, atLimit: false };
  // What the database says in these cases is written for people.
  if (code === 'PT404')
    return {
      title,
      description: message === CATEGORY_MESSAGES.notFound ? message : COPY_MESSAGES.folderGone,
      atLimit: false,
    };
  if (code === 'PT400') return { title, description: COPY_MESSAGES.tooMany, atLimit: false };
  return { title, description: describeError(error, COPY_MESSAGES.failedHint), atLimit: false };
}
