import type { FolderLook } from '@linkoteca/domain/folder-look';
import { FOLDER_MESSAGES } from '@linkoteca/domain/messages/folder-messages';
import { SERVICE_WORDS } from '@linkoteca/domain/messages/service-messages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { useState } from 'react';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { describeServiceFailure } from '../../../shared/lib/describe-service-failure.ts';
import { useDraftForm } from '../../../shared/lib/forms/use-draft-form.ts';
import { useEditedVersion } from '../../../shared/lib/forms/use-edited-version.ts';
import type { Folder } from '../../../shared/lib/rows.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { createId } from '../../../shared/lib/writes/create-id.ts';
import type { BeginAlongside } from '../../../shared/lib/writes/optimistic-write.ts';
import { EditConflictQuestion } from '../../../shared/ui/dialogs/edit-conflict-question.tsx';
import { FormDialog } from '../../../shared/ui/dialogs/form-dialog.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { useCreateFolder } from '../api/create-folder.ts';
import { useRenameFolder } from '../api/rename-folder.ts';
import { useSaveFolderLook } from '../api/save-folder-look.ts';
import { AUTOMATIC, FOLDER_LOOK_MESSAGES, folderDialogSchema } from '../model/folder-form.ts';
import type { ListedFolder } from '../model/folder-rows.ts';
import { ColorField, EmojiField } from './folder-look-fields.tsx';

export interface FolderDialogProps {
  readonly open: boolean;
  /** The folder to edit; null makes a new one. */
  readonly folder: ListedFolder | null;
  /** The folders there are, to refuse a twin at once; the database has the last word. */
  readonly folders: readonly Pick<Folder, 'id' | 'name'>[];
  /** Counts a new folder ahead of the server. */
  readonly beginCount: BeginAlongside;
  readonly onClose: () => void;
}

/** 'Nova Pasta' and 'Editar Pasta'. Mount it anew (by key) for each opening. */
export function FolderDialog(props: FolderDialogProps) {
  const { open, folder, folders, beginCount, onClose } = props;
  const userId = useUserId();
  const look = folder?.folder_looks ?? null;
  const create = useCreateFolder(beginCount);
  const rename = useRenameFolder();
  const saveLook = useSaveFolderLook();
  const [id] = useState(() => folder?.id ?? createId());
  const { form, dirty, forgetDraft } = useDraftForm({
    schema: folderDialogSchema,
    saved: { name: folder?.name ?? '', color: look?.color ?? AUTOMATIC, emoji: look?.emoji ?? '' },
    draftKey: folder ? null : `folder-${userId}`,
  });
  const { errors, isSubmitting } = form.formState;
  const version = useEditedVersion<Folder>(folder);

  const close = () => {
    forgetDraft();
    onClose();
  };

  const save = form.handleSubmit(async ({ name, color, emoji }) => {
    const refuseName = () =>
      form.setError('name', { message: FOLDER_MESSAGES.nameTaken }, { shouldFocus: true });
    if (folders.some((other) => other.id !== id && other.name === name)) return refuseName();
    const chosen = { color: color || null, emoji: emoji || null };
    const looksTheSame = isSameLook(chosen, look);
    try {
      const before = version.base();
      // Where the look alone is another, the name is not written.
      if (before === null) await create.mutateAsync({ id, name });
      else if (name !== before.name || looksTheSame) await rename.mutateAsync({ before, name });
    } catch (error) {
      if (version.takeConflict(error)) return;
      if (readRefusal(error).kind === 'name_taken') return refuseName();
      const title = folder ? FOLDER_MESSAGES.updateFailed : FOLDER_MESSAGES.createFailed;
      const words = folder ? SERVICE_WORDS.folder.update : SERVICE_WORDS.folder.create;
      toast.error(title, describeServiceFailure(error, words, 'Seu texto continua aqui.'));
      return;
    }
    try {
      if (!looksTheSame) await saveLook.mutateAsync({ folderId: id, look: chosen });
    } catch (error) {
      const { saveFailed, folderIsThere, tryAgain } = FOLDER_LOOK_MESSAGES;
      toast.error(saveFailed, describeError(error, folder ? tryAgain : folderIsThere));
      // A new folder is there already: saving again would make its name its own twin.
      if (folder) return;
      return close();
    }
    toast.success(folder ? FOLDER_MESSAGES.updated : FOLDER_MESSAGES.created);
    close();
  });

  return (
    <FormDialog
      open={open}
      title={folder ? 'Editar Pasta' : 'Nova Pasta'}
      dirty={dirty}
      saving={isSubmitting}
      onClose={close}
      onSubmit={save}
    >
      <TextField
        {...form.register('name')}
        label="Nome da Pasta"
        error={errors.name?.message}
        autoComplete="off"
      />
      <ColorField
        folderId={id}
        value={form.watch('color')}
        onChange={(color) => form.setValue('color', color, { shouldDirty: true })}
      />
      <EmojiField
        value={form.watch('emoji')}
        onChange={(emoji) => form.setValue('emoji', emoji, { shouldDirty: true })}
      />
      <EditConflictQuestion
        version={version}
        subject="A pasta"
        compare={(current) => [
          { label: 'Nome da Pasta', mine: form.getValues('name').trim(), current: current.name },
        ]}
        onKeepMine={() => void save()}
        onUseCurrent={close}
      />
    </FormDialog>
  );
}

function isSameLook(chosen: FolderLook, before: FolderLook | null): boolean {
  return chosen.color === (before?.color ?? null) && chosen.emoji === (before?.emoji ?? null);
}
