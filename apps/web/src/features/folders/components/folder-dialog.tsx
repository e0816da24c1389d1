import type { Folder } from '@linkoteca/domain/entities';
import { FOLDER_MESSAGES } from '@linkoteca/domain/folder-messages';
import { folderFormSchema } from '@linkoteca/domain/folder-schema';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { useState } from 'react';
import { createId } from '../../../shared/lib/create-id.ts';
import { describeError } from '../../../shared/lib/describe-error.ts';
import type { BeginAlongside } from '../../../shared/lib/optimistic-write.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDraftForm } from '../../../shared/lib/use-draft-form.ts';
import { FormDialog } from '../../../shared/ui/form-dialog.tsx';
import { TextField } from '../../../shared/ui/text-field.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useCreateFolder } from '../api/create-folder.ts';
import { useRenameFolder } from '../api/rename-folder.ts';

export interface FolderDialogProps {
  readonly open: boolean;
  /** The folder to edit; null makes a new one. */
  readonly folder: Folder | null;
  /** Names of the other folders, to refuse a twin at once; the database has the last word. */
  readonly takenNames: readonly string[];
  /** Counts a new folder ahead of the server. */
  readonly beginCount: BeginAlongside;
  readonly onClose: () => void;
}

/** 'Nova Pasta' and 'Editar Pasta'. Mount it anew (by key) for each opening. */
export function FolderDialog({ open, folder, takenNames, beginCount, onClose }: FolderDialogProps) {
  const userId = useUserId();
  const create = useCreateFolder(beginCount);
  const rename = useRenameFolder();
  const [id] = useState(() => folder?.id ?? createId());
  const { form, dirty, forgetDraft } = useDraftForm({
    schema: folderFormSchema,
    saved: { name: folder?.name ?? '' },
    draftKey: folder ? null : `folder-${userId}`,
  });
  const { errors, isSubmitting } = form.formState;

  const close = () => {
    forgetDraft();
    onClose();
  };

  const save = form.handleSubmit(async ({ name }) => {
    const refuseName = () =>
      form.setError('name', { message: FOLDER_MESSAGES.nameTaken }, { shouldFocus: true });
    if (takenNames.includes(name)) return refuseName();
    try {
      await (folder ? rename : create).mutateAsync({ id, name });
    } catch (error) {
      if (readRefusal(error).kind === 'name_taken') return refuseName();
      const title = folder ? FOLDER_MESSAGES.updateFailed : FOLDER_MESSAGES.createFailed;
      toast.error(title, describeError(error, 'Seu texto está guardado; tente de novo.'));
      return;
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
    </FormDialog>
  );
}
