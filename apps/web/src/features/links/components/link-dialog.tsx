import { countCharacters, truncateCharacters } from '@linkoteca/domain/count-characters';
import type { Link } from '@linkoteca/domain/entities';
import { FIELD_LIMITS } from '@linkoteca/domain/limits';
import { LINK_MESSAGES } from '@linkoteca/domain/link-messages';
import { linkFormSchema } from '@linkoteca/domain/link-schema';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { createId } from '../../../shared/lib/create-id.ts';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDraftForm } from '../../../shared/lib/use-draft-form.ts';
import { FormDialog } from '../../../shared/ui/form-dialog.tsx';
import { TextField } from '../../../shared/ui/text-field.tsx';
import { TextareaField } from '../../../shared/ui/textarea-field.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useCreateLink } from '../api/create-link.ts';
import { useUpdateLink } from '../api/update-link.ts';
import type { LinkAllowance } from '../model/link-allowance.ts';
import { findExceededLimit } from '../model/link-allowance.ts';
import type { BeginCountLinks } from '../model/link-rows.ts';
import { type CategoryGroup, CategorySelect } from './category-select.tsx';

export interface LinkDialogProps {
  readonly open: boolean;
  /** The link to edit; null makes a new one. */
  readonly link: Link | null;
  /** The category a new link starts in. */
  readonly categoryId: string;
  /** An address that was pasted into the page. */
  readonly pastedUrl?: string | undefined;
  readonly groups: readonly CategoryGroup[];
  readonly allowance: LinkAllowance | null;
  readonly beginCountLinks: BeginCountLinks;
  readonly onClose: () => void;
  /** The plan has no room for another link. */
  readonly onLimit: (max: number) => void;
}

/** 'Novo Link' and 'Editar Link'. Mount it anew (by key) for each opening. */
export function LinkDialog(props: LinkDialogProps) {
  const { open, link, categoryId, pastedUrl, groups, allowance, beginCountLinks, onClose, onLimit } = props;
  const userId = useUserId();
  const create = useCreateLink(beginCountLinks);
  const update = useUpdateLink(beginCountLinks);
  const [id] = useState(() => link?.id ?? createId());
  const { form, dirty, forgetDraft } = useDraftForm({
    schema: linkFormSchema,
    saved: {
      url: link?.url ?? pastedUrl ?? '',
      title: link?.title ?? '',
      category_id: link?.category_id ?? categoryId,
      description: link?.description ?? '',
    },
    // A pasted address is a fresh start; it must not meet the draft of another link.
    draftKey: link || pastedUrl !== undefined ? null : `link-${userId}-${categoryId}`,
  });
  const { errors, isSubmitting } = form.formState;
  const description = useWatch({ control: form.control, name: 'description' });

  const close = () => {
    forgetDraft();
    onClose();
  };
  const stopAtLimit = (max: number) => {
    close();
    onLimit(max);
  };

  const save = form.handleSubmit(async (values) => {
    const exceeded = link ? null : findExceededLimit(allowance);
    if (exceeded !== null) return stopAtLimit(exceeded);
    try {
      if (link) await update.mutateAsync({ before: link, change: values });
      else await create.mutateAsync({ id, ...values });
    } catch (error) {
      const refusal = readRefusal(error);
      if (refusal.kind === 'link_limit') return stopAtLimit(refusal.max);
      const title = link ? LINK_MESSAGES.updateFailed : LINK_MESSAGES.createFailed;
      toast.error(title, describeError(error, 'Seu texto está guardado; tente de novo.'));
      return;
    }
    toast.success(link ? LINK_MESSAGES.updated : LINK_MESSAGES.created);
    close();
  });

  return (
    <FormDialog
      open={open}
      title={link ? 'Editar Link' : 'Adicionar Link'}
      dirty={dirty || pastedUrl !== undefined}
      saving={isSubmitting}
      onClose={close}
      onSubmit={save}
    >
      <TextField
        {...form.register('url')}
        label="URL"
        inputMode="url"
        placeholder="https://"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.url?.message}
      />
      <TextField
        {...form.register('title')}
        label="Título"
        autoComplete="off"
        autoFocus={pastedUrl !== undefined}
        error={errors.title?.message}
      />
      <CategorySelect {...form.register('category_id')} groups={groups} error={errors.category_id?.message} />
      <TextareaField
        {...form.register('description', {
          onChange: (event: { target: { value: string } }) => {
            const kept = truncateCharacters(event.target.value, FIELD_LIMITS.linkDescription);
            if (kept !== event.target.value) form.setValue('description', kept, { shouldDirty: true });
          },
        })}
        label="Descrição (opcional)"
        rows={3}
        counter={{ used: countCharacters(description), max: FIELD_LIMITS.linkDescription }}
        error={errors.description?.message}
      />
    </FormDialog>
  );
}
