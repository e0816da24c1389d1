import type { LinkForm } from '@linkoteca/domain/library-schemas';
import { FIELD_LIMITS } from '@linkoteca/domain/limits';
import { readTagNames } from '@linkoteca/domain/tags';
import { countCharacters, truncateCharacters } from '@linkoteca/domain/text';
import { normalizeUrl } from '@linkoteca/domain/urls';
import { LoaderCircle } from 'lucide-react';
import { type ClipboardEvent, Fragment, type KeyboardEvent } from 'react';
import { type UseFormReturn, useController, useWatch } from 'react-hook-form';
import { Notice } from '../../../../shared/ui/feedback/notice.tsx';
import { FieldAction } from '../../../../shared/ui/fields/field-action.tsx';
import { TextField } from '../../../../shared/ui/fields/text-field.tsx';
import { TextareaField } from '../../../../shared/ui/fields/textarea-field.tsx';
import { VisuallyHidden } from '../../../../shared/ui/visually-hidden.tsx';
import { ADDING_MESSAGES, describePlace } from '../../model/adding-messages.ts';
import type { CategoryGroup } from '../../model/category-groups.ts';
import type { LinkFields } from '../../model/link-fields.ts';
import type { LinkPlace } from '../../model/link-places.ts';
import type { LinkTagging } from '../../model/link-tagging.ts';
import type { CreatePlace } from '../../model/new-category.ts';
import { readPastedLinks } from '../../model/pasting/read-pasted-links.ts';
import type { FilledField, PageDetails } from '../../model/use-page-details.ts';
import { CategoryField } from './category-field.tsx';

interface LinkFormFieldsProps {
  readonly form: UseFormReturn<LinkFields, unknown, LinkForm>;
  readonly details: PageDetails;
  readonly groups: readonly CategoryGroup[];
  readonly createPlace: CreatePlace;
  /** To the plans, where there is no room for another category; null where there is no such way. */
  readonly onSeePlans: (() => void) | null;
  /** Other links with the same address. */
  readonly places: readonly LinkPlace[];
  /** Goes to one of them in place of the form; null where there is no such way. */
  readonly onShowPlace: ((place: LinkPlace) => void) | null;
  /** Null where the form has no field for tags. */
  readonly tagging: LinkTagging | null;
  readonly editing: boolean;
  /** The address is there already when the form opens. */
  readonly startAtTitle: boolean;
  /** The category that was suggested, not chosen; null when there is none. */
  readonly suggestedCategoryId: string | null;
  /** Null where one link is meant. */
  readonly onPasteMany: ((text: string) => void) | null;
}

/** The fields of a link, with what is known about its address. */
export function LinkFormFields(props: LinkFormFieldsProps) {
  const {
    form,
    details,
    groups,
    createPlace,
    places,
    tagging,
    editing,
    startAtTitle,
    suggestedCategoryId,
    onPasteMany,
  } = props;
  const { errors } = form.formState;
  const { url, title, description } = useWatch({ control: form.control });
  const { field: tags } = useController({ control: form.control, name: 'tags' });
  const { field: category } = useController({ control: form.control, name: 'category_id' });

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
      <DuplicateNotice places={places} onShow={props.onShowPlace} />
      <TextField
        {...form.register('title', { onChange: () => details.keep('title') })}
        label="Título"
        enterKeyHint="done"
        autoComplete="off"
        autoCapitalize="sentences"
        autoFocus={startAtTitle}
        placeholder={details.state === 'searching' ? ADDING_MESSAGES.searchingTitle : undefined}
        error={errors.title?.message}
        // What the page may fill in is no answer to a title that is missing.
        hint={
          errors.title ? null : (
            <TitleHint details={details} idle={editing ? '' : ADDING_MESSAGES.titleHint} />
          )
        }
        aside={editing && url ? <FieldAction onPress={details.request}>Buscar título</FieldAction> : null}
        onKeyDown={undoFilled('title')}
      />
      <CategoryField
        ref={category.ref}
        value={category.value}
        onChange={category.onChange}
        groups={groups}
        createPlace={createPlace}
        onSeePlans={props.onSeePlans}
        error={errors.category_id?.message}
        suggested={category.value === suggestedCategoryId}
      />
      {tagging?.own?.renderField({
        value: readTagNames(tags.value.split(',')),
        onChange: (names) => tags.onChange(names.join(', ')),
        url: normalizeUrl(url ?? '') ?? '',
        title: title ?? '',
      })}
      <TextareaField
        {...form.register('description', {
          onChange: (event: { target: { value: string } }) => {
            details.keep('description');
            const kept = truncateCharacters(event.target.value, FIELD_LIMITS.linkDescription);
            if (kept !== event.target.value) form.setValue('description', kept, { shouldDirty: true });
          },
        })}
        label="Descrição (opcional)"
        folded
        autoComplete="off"
        counter={{ used: countCharacters(description ?? ''), max: FIELD_LIMITS.linkDescription }}
        error={errors.description?.message}
        onKeyDown={undoFilled('description')}
      />
    </>
  );
}

/** Places named; more would push the form off the screen. */
const NAMED = 3;

interface DuplicateNoticeProps {
  readonly places: readonly LinkPlace[];
  readonly onShow: ((place: LinkPlace) => void) | null;
}

/**
 * Says where an address is already. The way to its category opens beside the form, which keeps what is typed; the way to the link itself
 * takes the form's place.
 */
function DuplicateNotice({ places, onShow }: DuplicateNoticeProps) {
  const [newest] = places;
  const categories = [...new Map(places.map((place) => [place.categoryId, place])).values()];
  if (categories.length === 0) return null;
  return (
    <Notice tone="warning">
      {ADDING_MESSAGES.alreadyHere}{' '}
      {categories.slice(0, NAMED).map((place, index) => (
        <Fragment key={place.categoryId}>
          {index > 0 ? ', ' : null}
          <a
            href={`/category/${place.categoryId}`}
            target="_blank"
            rel="noopener"
            title="Abrir em outra aba"
            className="font-medium underline underline-offset-2"
          >
            {describePlace(place.folderName, place.categoryName)}
          </a>
        </Fragment>
      ))}
      {categories.length > NAMED ? ` e mais ${categories.length - NAMED}` : null}.
      {newest && onShow ? (
        <>
          {' '}
          <FieldAction onPress={() => onShow(newest)}>{ADDING_MESSAGES.goToLink}</FieldAction>
        </>
      ) : null}
    </Notice>
  );
}

interface TitleHintProps {
  readonly details: PageDetails;
  /** What stands there while nothing happens: the line keeps its height. */
  readonly idle: string;
}

/** What is going on between the title and the page it may come from, in one line. */
function TitleHint({ details: { state, undo }, idle }: TitleHintProps) {
  return (
    <span className="flex min-h-5 items-center gap-2">
      <span role="status" className="inline-flex items-center gap-1.5">
        {state === 'searching' ? <LoaderCircle aria-hidden className="size-3.5 animate-spin" /> : null}
        {state === 'idle' ? idle : null}
        {state === 'searching' ? (
          <>
            <VisuallyHidden>{ADDING_MESSAGES.searchingTitle} </VisuallyHidden>
            {ADDING_MESSAGES.typeYours}
          </>
        ) : null}
        {state === 'nothing' ? ADDING_MESSAGES.titleNotFound : null}
        {state === 'filled' ? ADDING_MESSAGES.titleFromPage : null}
      </span>
      {state === 'filled' ? (
        <button
          type="button"
          className="-my-2 rounded-sm py-2 font-medium text-accent-text hover:underline"
          onClick={() => undo()}
        >
          Desfazer
        </button>
      ) : null}
    </span>
  );
}
