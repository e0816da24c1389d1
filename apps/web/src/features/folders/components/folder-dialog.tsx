import { folderFormSchema } from '@linkoteca/domain/library-schemas';
import { FOLDER_MESSAGES } from '@linkoteca/domain/messages/folder-messages';
import { SERVICE_WORDS } from '@linkoteca/domain/messages/service-messages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { useState } from 'react';
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

export interface FolderDialogProps {
  readonly open: boolean;
  /** The folder to edit; null makes a new one. */
  readonly folder: Folder | null;
  /** Names of the other folders, to refuse a twin at once; the database has the last word. */
  readonly takenNames: readonly string[];
  /** Counts a new folder ahead of the server. */
  readonly beginCount: BeginAlongside;
  readonly onClose: () => void;
  /** Goes on with the new folder; absent where the dialog is all there was to do. */
  readonly onCreated?: ((folder: Pick<Folder, 'id' | 'name'>) => void) | undefined;
}

/** 'Nova Pasta' and 'Editar Pasta'. Mount it anew (by key) for each opening. */
export function FolderDialog(props: FolderDialogProps) {
  const { open, folder, takenNames, beginCount, onClose, onCreated } = props;
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
  const version = useEditedVersion(folder);

  const close = () => {
    forgetDraft();
    onClose();
  };

  const save = form.handleSubmit(async ({ name }) => {
    const refuseName = () =>
      form.setError('name', { message: FOLDER_MESSAGES.nameTaken }, { shouldFocus: true });
    if (takenNames.includes(name)) return refuseName();
    try {
      const before = version.base();
      if (before) await rename.mutateAsync({ before, name });
      else await create.mutateAsync({ id, name });
    } catch (error) {
      if (version.takeConflict(error)) return;
      if (readRefusal(error).kind === 'name_taken') return refuseName();
      const title = folder ? FOLDER_MESSAGES.updateFailed : FOLDER_MESSAGES.createFailed;
      const words = folder ? SERVICE_WORDS.folder.update : SERVICE_WORDS.folder.create;
      toast.error(title, describeServiceFailure(error, words, 'Seu texto continua aqui.'));
      return;
    }
    toast.success(folder ? FOLDER_MESSAGES.updated : FOLDER_MESSAGES.created);
    if (folder || !onCreated) return close();
    forgetDraft();
    onCreated({ id, name });
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
