import { describeTagAdding, describeTagRemoval, TAG_MESSAGES } from '@linkoteca/domain/messages/tag-messages';
import { readTagNames, TAG_LIMITS, tagKey } from '@linkoteca/domain/tags';
import { Plus, X } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { describedByOf } from '../../../shared/ui/fields/field-control.ts';
import { FieldFrame } from '../../../shared/ui/fields/field-frame.tsx';
import { popupClassName } from '../../../shared/ui/menus/floating-class-names.ts';
import { PickListbox, placeElementId } from '../../../shared/ui/pickers/pick-listbox.tsx';
import { walkPlaces } from '../../../shared/ui/pickers/pick-options.ts';
import { usePopupPlace } from '../../../shared/ui/pickers/use-popup-place.ts';
import { listTagOptions } from '../model/tag-options.ts';
import { findTag, type Tag } from '../model/tag-rows.ts';
import { TagDot } from './tag-chip.tsx';

interface TagFieldProps {
  readonly label: string;
  readonly value: readonly string[];
  readonly onChange: (names: readonly string[]) => void;
  /** The person's own. */
  readonly tags: readonly Tag[];
  /** Names that fit, to be added with one press. */
  readonly suggestions: readonly string[];
  readonly error?: string | undefined;
}

/**
 * Tags as one types them: Enter, a comma or leaving adds what is typed, Backspace in the empty field takes the last one, arrows walk
 * through the person's own. Without anything typed Enter is the form's.
 */
export function TagField({ label, value, onChange, tags, suggestions, error }: TagFieldProps) {
  const id = useId();
  const listId = `${id}-list`;
  const frame = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const options = open ? listTagOptions(tags, typed, value) : [];
  const active = options[Math.min(at, options.length - 1)];
  const isFull = value.length >= TAG_LIMITS.link;
  const hint = isFull ? TAG_MESSAGES.full : TAG_MESSAGES.fieldHint;

  const add = (names: readonly string[]) => {
    // As the person has it already: 'fisica' is 'Física'.
    const known = names.map((name) => findTag(tags, name)?.name ?? name);
    const next = readTagNames([...value, ...known]).slice(0, TAG_LIMITS.link);
    setTyped('');
    setOpen(false);
    setAt(0);
    if (next.length > value.length) onChange(next);
  };
  const drop = (name: string) => onChange(value.filter((other) => other !== name));
  const type = (text: string) => {
    const parts = text.split(/[,;\n\t]/);
    if (parts.length > 1) return add(parts);
    setTyped(text);
    setAt(0);
    setOpen(text.trim() !== '');
  };
  const followKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key, nativeEvent, ctrlKey, metaKey } = event;
    if (nativeEvent.isComposing || ctrlKey || metaKey) return;
    if (key === 'Backspace' && typed === '' && value.length > 0) {
      event.preventDefault();
      return drop(value.at(-1) ?? '');
    }
    if (key === 'Escape' && open) {
      // The list's alone: the dialog around it stays.
      event.stopPropagation();
      event.preventDefault();
      return setOpen(false);
    }
    if (key === 'Enter' && (typed.trim() !== '' || (open && active))) {
      event.preventDefault();
      return add([open && active ? active.name : typed]);
    }
    if (key === 'ArrowDown' && !open) {
      event.preventDefault();
      return setOpen(true);
    }
    const next = open && options.length > 0 ? walkPlaces(key, at, options.length) : null;
    if (next === null) return;
    event.preventDefault();
    setAt(next);
  };

  return (
    <FieldFrame id={id} label={label} error={error} hint={hint}>
      <div ref={frame} className="relative scroll-mt-10">
        {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: a press beside the text is one into the field */}
        <div
          className={
            'flex min-h-10 w-full min-w-0 flex-wrap items-center gap-1 rounded border border-edge bg-surface px-3 py-1 text-base text-ink transition-colors hover:border-ink-faint ' +
            'focus-within:border-accent focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent pointer-coarse:min-h-11 pointer-coarse:text-lg'
          }
          onClick={() => input.current?.focus()}
        >
          {value.length > 0 ? (
            <ul aria-label={TAG_MESSAGES.fieldName} className="contents">
              {value.map((name) => (
                <li
                  key={name}
                  className="inline-flex h-7 max-w-full items-center gap-1 rounded-sm bg-sunken pl-2 text-sm text-ink pointer-coarse:h-11"
                >
                  {findTag(tags, name)?.color ? <TagDot color={findTag(tags, name)?.color ?? null} /> : null}
                  <span className="truncate">{name}</span>
                  <button
                    type="button"
                    aria-label={describeTagRemoval(name)}
                    className="hit-area grid size-6 shrink-0 place-items-center rounded-sm text-ink-soft hover:bg-press hover:text-ink pointer-coarse:size-11 [&_svg]:size-3.5"
                    onClick={(event) => {
                      event.stopPropagation();
                      drop(name);
                      input.current?.focus();
                    }}
                  >
                    <X aria-hidden />
                  </button>
                </li>
              ))}
            </ul>
          ) : null}
          <input
            ref={input}
            id={id}
            type="text"
            role="combobox"
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="done"
            readOnly={isFull}
            placeholder={value.length === 0 ? TAG_MESSAGES.placeholder : undefined}
            aria-autocomplete="list"
            aria-haspopup="listbox"
            aria-expanded={options.length > 0}
            aria-controls={listId}
            aria-activedescendant={active ? placeElementId(listId, optionId(active.name)) : undefined}
            aria-invalid={error ? true : undefined}
            aria-describedby={describedByOf(id, error, hint)}
            value={typed}
            size={6}
            className="h-8 flex-1 bg-transparent outline-none pointer-coarse:h-11"
            onChange={(event) => type(event.target.value)}
            onKeyDown={followKey}
            // What is typed is meant: 'Salvar' may be the next press.
            onBlur={() => add([typed])}
          />
        </div>
        {options.length > 0 ? (
          <Popup field={frame}>
            <PickListbox
              id={listId}
              label={TAG_MESSAGES.list}
              groups={[
                {
                  label: '',
                  options: options.map(({ name, tag }) => ({
                    id: optionId(name),
                    name: tag ? name : `Criar “${name}”`,
                    icon: tag ? <TagDot color={tag.color} /> : <Plus aria-hidden className="size-3.5" />,
                    ...(tag && { detail: String(tag.link_count) }),
                  })),
                },
              ]}
              activeKey={active ? optionId(active.name) : null}
              onActive={(key) => setAt(options.findIndex(({ name }) => optionId(name) === key))}
              onPick={(key) =>
                add(options.filter(({ name }) => optionId(name) === key).map(({ name }) => name))
              }
              className="max-h-[inherit] py-1.5"
            />
          </Popup>
        ) : null}
      </div>
      {suggestions.length > 0 && !isFull ? (
        <ul aria-label={TAG_MESSAGES.suggestions} className="flex flex-wrap gap-1.5">
          {suggestions.map((name) => (
            <li key={name}>
              <button
                type="button"
                aria-label={describeTagAdding(name)}
                className="inline-flex h-7 max-w-56 items-center gap-1 rounded-sm border border-edge px-2 text-sm text-ink-soft transition-colors hover:bg-hover hover:text-ink pointer-coarse:h-11 [&_svg]:size-3"
                onClick={() => add([name])}
              >
                <Plus aria-hidden />
                <span className="truncate">{name}</span>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </FieldFrame>
  );
}

/** A key without blanks: it becomes part of an element's id. */
function optionId(name: string): string {
  return encodeURIComponent(tagKey(name));
}

/** The list over the form. It is the field's in the document, so that a press on it is none beside the dialog. */
function Popup({
  field,
  children,
}: {
  readonly field: React.RefObject<HTMLElement | null>;
  readonly children: React.ReactNode;
}) {
  const popup = useRef<HTMLDivElement>(null);
  usePopupPlace(field, popup);
  return (
    <div ref={popup} className={`${popupClassName} fixed inset-auto m-0 overflow-hidden p-0`}>
      {children}
    </div>
  );
}
