import { ADDING_MESSAGES } from '@linkoteca/domain/adding-messages';
import { countCharacters, truncateCharacters } from '@linkoteca/domain/count-characters';
import { FIELD_LIMITS } from '@linkoteca/domain/limits';
import type { LinkForm } from '@linkoteca/domain/link-schema';
import type { ClipboardEvent, KeyboardEvent } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useWatch } from 'react-hook-form';
import { TextField } from '../../../shared/ui/text-field.tsx';
import { TextareaField } from '../../../shared/ui/textarea-field.tsx';
import type { LinkPlace } from '../model/link-places.ts';
import { readPastedLinks } from '../model/read-pasted-links.ts';
import type { FilledField, LinkFields, PageDetails } from '../model/use-page-details.ts';
import { type CategoryGroup, CategorySelect } from './category-select.tsx';
import { DuplicateNotice } from './duplicate-notice.tsx';
import { FieldAction } from './field-action.tsx';
import { TitleHint } from './title-hint.tsx';

interface LinkFormFieldsProps {
  readonly form: UseFormReturn<LinkFields, unknown, LinkForm>;
  readonly details: PageDetails;
  readonly groups: readonly CategoryGroup[];
  /** Other links with the same address. */
  readonly places: readonly LinkPlace[];
  readonly editing: boolean;
  /** The address is there already when the form opens. */
  readonly startAtTitle: boolean;
  /** The category that was suggested, not chosen; null when there is none. */
  readonly suggestedCategoryId: string | null;
  /** Null where one link is meant. */
  readonly onPasteMany: ((text: string) => void) | null;
}

/** The four fields of a link, with what is known about its address. */
export function LinkFormFields(props: LinkFormFieldsProps) {
  const { form, details, groups, places, editing, startAtTitle, suggestedCategoryId, onPasteMany } = props;
  const { errors } = form.formState;
  const { url, category_id: categoryId, description } = useWatch({ control: form.control });

  const pasteUrl = (event: ClipboardEvent) => {
    if (onPasteMany === null) return;
    const text = event.clipboardData.getData('text/plain');
    const links = readPastedLinks(text);
    const [only] = links;
    if (links.length > 1) {
      event.preventDefault();
      onPasteMany(text);
    } else if (only?.kind === 'link' && only.title !== null) {
      event.preventDefault();
      form.setValue('url', only.url, { shouldDirty: true });
      if (form.getValues('title') === '') form.setValue('title', only.title, { shouldDirty: true });
      details.keep('title');
      details.finishUrl(only.url);
    }
  };
  const undoFilled = (field: FilledField) => (event: KeyboardEvent) => {
    const undoes = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'z';
    // Only what was filled in: typed letters are the browser's to take back.
    if (undoes && details.undo(field)) event.preventDefault();
  };

  return (
    <>
      <TextField
        {...form.register('url', {
          onBlur: (event: { target: { value: string } }) => details.finishUrl(event.target.value),
          onChange: (event: { target: { value: string }; nativeEvent?: Event }) => {
            const { nativeEvent } = event;
            if (nativeEvent instanceof InputEvent && nativeEvent.inputType === 'insertFromPaste')
              details.finishUrl(event.target.value);
          },
        })}
        label="URL"
        type="text"
        inputMode="url"
        enterKeyHint="done"
        placeholder="https://"
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        error={errors.url?.message}
        aside={
          onPasteMany && url === '' ? (
            <FieldAction onPress={() => onPasteMany('')}>Colar vários</FieldAction>
          ) : null
        }
        onPaste={pasteUrl}
      />
      <DuplicateNotice places={places} />
      <TextField
        {...form.register('title', { onChange: () => details.keep('title') })}
        label="Título"
        enterKeyHint="done"
        autoComplete="off"
        autoCapitalize="sentences"
        autoFocus={startAtTitle}
        placeholder={details.state === 'searching' ? ADDING_MESSAGES.searchingTitle : undefined}
        error={errors.title?.message}
        hint={<TitleHint details={details} idle={editing ? '' : ADDING_MESSAGES.titleHint} />}
        aside={editing && url ? <FieldAction onPress={details.request}>Buscar título</FieldAction> : null}
        onKeyDown={undoFilled('title')}
      />
      <CategorySelect
        {...form.register('category_id')}
        groups={groups}
        error={errors.category_id?.message}
        hint={
          suggestedCategoryId !== null && categoryId === suggestedCategoryId ? ADDING_MESSAGES.lastUsed : null
        }
      />
      <TextareaField
        {...form.register('description', {
          onChange: (event: { target: { value: string } }) => {
            details.keep('description');
            const kept = truncateCharacters(event.target.value, FIELD_LIMITS.linkDescription);
            if (kept !== event.target.value) form.setValue('description', kept, { shouldDirty: true });
          },
        })}
        label="Descrição (opcional)"
        rows={3}
        autoComplete="off"
        counter={{ used: countCharacters(description ?? ''), max: FIELD_LIMITS.linkDescription }}
        error={errors.description?.message}
        onKeyDown={undoFilled('description')}
      />
    </>
  );
}
