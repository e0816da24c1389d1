import { CATEGORY_MESSAGES } from '@linkoteca/domain/messages/category-messages';
import { describeFolderOf } from '@linkoteca/domain/messages/folder-sharing-messages';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReceivedFolder } from '../../../features/categories/api/list-received-folders.ts';
import { findNameFault } from '../../../features/links/model/new-category.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { FormDialog } from '../../../shared/ui/dialogs/form-dialog.tsx';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { createSharedPlace } from '../received/create-shared-place.ts';

interface NewSharedCategoryDialogProps {
  readonly open: boolean;
  readonly folder: ReceivedFolder;
  readonly onClose: () => void;
}

/** A new category in a folder that somebody shares, whose it becomes. What is typed stays where it is refused. */
export function NewSharedCategoryDialog({ open, folder, onClose }: NewSharedCategoryDialogProps) {
  const scope = { database: useDatabase(), queryClient: useQueryClient(), userId: useUserId() };
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [tried, setTried] = useState(false);
  const [saving, setSaving] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const fault = findNameFault(name.trim());
  const create = async () => {
    setTried(true);
    if (fault !== null) return;
    setSaving(true);
    setRefusal(null);
    const made = await createSharedPlace(scope, {
      name: name.trim(),
      folderId: folder.id,
      folderName: folder.name,
    });
    setSaving(false);
    if (made.kind === 'failed') return setRefusal(made.reason);
    if (made.kind !== 'created') return;
    toast.success(CATEGORY_MESSAGES.created);
    onClose();
    void navigate({ to: '/category/$categoryId', params: { categoryId: made.id } });
  };
  return (
    <FormDialog
      open={open}
      title="Nova Categoria"
      description={<bdi>{describeFolderOf(folder.name, folder.ownerName)}</bdi>}
      dirty={name !== ''}
      saving={saving}
      onClose={onClose}
      onSubmit={() => void create()}
    >
      {refusal === null ? null : <Notice tone="warning">{refusal}</Notice>}
      <TextField
        label="Nome da Categoria"
        autoComplete="off"
        autoFocus
        value={name}
        error={tried ? (fault ?? undefined) : undefined}
        onChange={({ target }) => setName(target.value)}
      />
    </FormDialog>
  );
}
