import { categoryFormSchema } from '@linkoteca/domain/category-schema';
import { CATEGORY_MESSAGES } from '@linkoteca/domain/messages/category-messages';
import { PLAN_MESSAGES } from '@linkoteca/domain/messages/plan-messages';
import { describeRoomLeft } from '@linkoteca/domain/messages/room-messages';
import { SERVICE_WORDS } from '@linkoteca/domain/messages/service-messages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { useRef, useState } from 'react';
import { describeServiceFailure } from '../../../shared/lib/describe-service-failure.ts';
import { useDraftForm } from '../../../shared/lib/forms/use-draft-form.ts';
import { useEditedVersion } from '../../../shared/lib/forms/use-edited-version.ts';
import type { Category } from '../../../shared/lib/rows.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { createId } from '../../../shared/lib/writes/create-id.ts';
import type { BeginAlongside } from '../../../shared/lib/writes/optimistic-write.ts';
import { EditConflictQuestion } from '../../../shared/ui/dialogs/edit-conflict-question.tsx';
import { FormDialog } from '../../../shared/ui/dialogs/form-dialog.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { FieldAction } from '../../../shared/ui/fields/field-action.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { TextareaField } from '../../../shared/ui/fields/textarea-field.tsx';
import { PlanNote } from '../../../shared/ui/plan-note.tsx';
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
  /** Left without saving. */
  readonly onClose: () => void;
  /** The category was stored, and the dialog has done its work. */
  readonly onSaved: (categoryId: string) => void;
  /** The plan has no room for another category: what is typed waits in the draft of this key. */
  readonly onLimit: (max: number, draftKey: string) => void;
  /** How many categories there are and may be; null while that is not known. */
  readonly allowance: { readonly used: number; readonly max: number | null } | null;
  /** To the plans; what is typed waits as above. */
  readonly onSeePlans: (draftKey: string) => void;
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
  allowance,
  onSeePlans,
}: CategoryDialogProps) {
  const userId = useUserId();
  const create = useCreateCategory(beginCount);
  const update = useUpdateCategory();
  const [id] = useState(() => category?.id ?? createId());
  const draftKey = `category-${userId}-${folder.id}`;
  const { form, dirty, forgetDraft, keepDraft } = useDraftForm({
    schema: categoryFormSchema,
    saved: { name: category?.name ?? '', description: category?.description ?? '', folder_id: folder.id },
    draftKey: category ? null : draftKey,
  });
  const { errors, isSubmitting } = form.formState;
  const version = useEditedVersion(category);
  // While it saves, the counters already count the category that is being saved.
  const room = useRef(allowance);
  if (open && !isSubmitting) room.current = allowance;

  const close = () => {
    forgetDraft();
    onClose();
  };

  const save = form.handleSubmit(async ({ name, description }) => {
    try {
      const before = version.base();
      if (before) await update.mutateAsync({ before, name, description });
      else await create.mutateAsync({ id, name, description, folder_id: folder.id });
    } catch (error) {
      if (version.takeConflict(error)) return;
      const refusal = readRefusal(error);
      if (refusal.kind === 'category_limit') {
        keepDraft();
        return onLimit(refusal.max, draftKey);
      }
      const title = category ? CATEGORY_MESSAGES.updateFailed : CATEGORY_MESSAGES.createFailed;
      const words = category ? SERVICE_WORDS.category.update : SERVICE_WORDS.category.create;
      toast.error(title, describeServiceFailure(error, words, 'Seu texto continua aqui.'));
      return;
    }
    toast.success(category ? CATEGORY_MESSAGES.updated : CATEGORY_MESSAGES.created);
    forgetDraft();
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
      <PlanNote
        action={
          <FieldAction
            onPress={() => {
              keepDraft();
              onSeePlans(draftKey);
            }}
          >
            {PLAN_MESSAGES.seePlans}
          </FieldAction>
        }
      >
        {category ? null : describeRoomLeft('maxCategories', room.current)}
      </PlanNote>
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
      <EditConflictQuestion
        version={version}
        subject="A categoria"
        compare={(current) => {
          const mine = form.getValues();
          return [
            { label: 'Nome da Categoria', mine: mine.name.trim(), current: current.name },
            { label: 'Descrição', mine: mine.description.trim(), current: current.description ?? '' },
          ];
        }}
        onKeepMine={() => void save()}
        onUseCurrent={close}
      />
    </FormDialog>
  );
}
