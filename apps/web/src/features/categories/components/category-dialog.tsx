import { CATEGORY_MESSAGES } from '@linkoteca/domain/category-messages';
import { categoryFormSchema } from '@linkoteca/domain/category-schema';
import type { Category } from '@linkoteca/domain/entities';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { useState } from 'react';
import { createId } from '../../../shared/lib/create-id.ts';
import { describeError } from '../../../shared/lib/describe-error.ts';
import type { BeginAlongside } from '../../../shared/lib/optimistic-write.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDraftForm } from '../../../shared/lib/use-draft-form.ts';
import { FormDialog } from '../../../shared/ui/form-dialog.tsx';
import { TextField } from '../../../shared/ui/text-field.tsx';
import { TextareaField } from '../../../shared/ui/textarea-field.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useCreateCategory } from '../api/create-category.ts';
import { useUpdateCategory } from '../api/update-category.ts';

export interface CategoryDialogProps {
  readonly open: boolean;
  /** The category to edit; null makes a new one. */
  readonly category: Category | null;
  /** The folder it is in. */
  readonly folder: { readonly id: string; readonly name: string };
  /** Counts a new category ahead of the server. */
  readonly beginCount: BeginAlongside;
  readonly onClose: () => void;
  /** The category was stored. */
  readonly onSaved: (categoryId: string) => void;
  /** The plan has no room for another category. */
  readonly onLimit: (max: number) => void;
}

/** 'Nova Categoria' and 'Editar Categoria'. Mount it anew (by key) for each opening. */
export function CategoryDialog({
  open,
  category,
  folder,
  beginCount,
  onClose,
  onSaved,
  onLimit,
}: CategoryDialogProps) {
  const userId = useUserId();
  const create = useCreateCategory(beginCount);
  const update = useUpdateCategory();
  const [id] = useState(() => category?.id ?? createId());
  const { form, dirty, forgetDraft } = useDraftForm({
    schema: categoryFormSchema,
    saved: { name: category?.name ?? '', description: category?.description ?? '', folder_id: folder.id },
    draftKey: category ? null : `category-${userId}-${folder.id}`,
  });
  const { errors, isSubmitting } = form.formState;

  const close = () => {
    forgetDraft();
    onClose();
  };

  const save = form.handleSubmit(async ({ name, description }) => {
    try {
      if (category) await update.mutateAsync({ id, name, description });
      else await create.mutateAsync({ id, name, description, folder_id: folder.id });
    } catch (error) {
      const refusal = readRefusal(error);
      if (refusal.kind === 'category_limit') {
        close();
        return onLimit(refusal.max);
      }
      const title = category ? CATEGORY_MESSAGES.updateFailed : CATEGORY_MESSAGES.createFailed;
      toast.error(title, describeError(error, 'Seu texto está guardado; tente de novo.'));
      return;
    }
    toast.success(category ? CATEGORY_MESSAGES.updated : CATEGORY_MESSAGES.created);
    close();
    onSaved(id);
  });

  return (
    <FormDialog
      open={open}
      title={category ? 'Editar Categoria' : 'Nova Categoria'}
      dirty={dirty}
      saving={isSubmitting}
      onClose={close}
      onSubmit={save}
    >
      <TextField
        {...form.register('name')}
        label="Nome da Categoria"
        error={errors.name?.message}
        autoComplete="off"
      />
      <TextareaField
        {...form.register('description')}
        label="Descrição (opcional)"
        error={errors.description?.message}
        rows={2}
      />
      <TextField label="Pasta" value={folder.name} readOnly error={errors.folder_id?.message} />
    </FormDialog>
  );
}
