import { ChevronsUpDown, LoaderCircle } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type Ref, useId, useRef, useState } from 'react';
import { describedByOf, fieldControlClassName } from '../fields/field-control.ts';
import { FieldFrame } from '../fields/field-frame.tsx';
import { popupClassName } from '../menus/floating-class-names.ts';
import { PickListbox, placeElementId } from './pick-listbox.tsx';
import type { OfferCreation, PickGroup } from './pick-options.ts';
import { usePickWalk } from './use-pick-walk.ts';
import { usePopupPlace } from './use-popup-place.ts';

interface PickFieldProps {
  readonly label: string;
  /** Name of the list: 'Categorias'. */
  readonly listLabel: string;
  readonly groups: readonly PickGroup[];
  /** Id of what is picked; empty for nothing. */
  readonly value: string;
  /** What is picked, as the field shows it; empty for nothing. */
  readonly valueText: string;
  readonly placeholder: string;
  /** What stands there when nothing matches. */
  readonly emptyText: string;
  /** Offers to make what is typed. */
  readonly offerCreation: OfferCreation;
  /** It is being made: until then nothing else can be picked. */
  readonly busy: boolean;
  readonly error?: string | undefined;
  readonly hint?: ReactNode;
  /** @param term what is typed, for an option that makes it. */
  readonly onPick: (id: string, term: string) => void;
  readonly ref?: Ref<HTMLInputElement>;
}

/**
 * A field of a form that picks one of a list (the practices guide's editable combobox): typing narrows the list down, arrows
 * walk, Enter picks, Esc leaves everything as it was. Closed, its Enter is the form's.
 */
export function PickField(props: PickFieldProps) {
  const { label, listLabel, groups, value, valueText, placeholder, emptyText, busy, error, hint, ref } =
    props;
  const id = useId();
  const listId = `${id}-list`;
  const frame = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  // Null until something is typed: the field then shows what is picked.
  const [typed, setTyped] = useState<string | null>(null);
  const term = typed ?? '';
  const { offerCreation } = props;
  const { shown, active, walk, walkTo } = usePickWalk({ groups, term, startId: value, offerCreation });

  const show = () => {
    if (open || busy) return;
    walkTo(null);
    setOpen(true);
  };
  const close = () => {
    setOpen(false);
    setTyped(null);
  };
  const pick = (optionId: string) => {
    close();
    props.onPick(optionId, term);
  };
  const followKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key, nativeEvent, ctrlKey, metaKey } = event;
    if (nativeEvent.isComposing) return;
    if (!open) {
      if (key !== 'ArrowDown' && key !== 'ArrowUp') return;
      event.preventDefault();
      return show();
    }
    if (
      key === 'Tab' &&
      term.trim() !== '' &&
      active &&
      groups.some(({ options }) => isIn(options, active.id))
    )
      return pick(active.id);
    if (key === 'Escape') {
      // The list's alone: the dialog around it stays.
      event.stopPropagation();
      event.preventDefault();
      return close();
    }
    if (key === 'Enter' && !ctrlKey && !metaKey) {
      event.preventDefault();
      if (active) pick(active.id);
    } else if (walk(key)) event.preventDefault();
  };

  return (
    <FieldFrame id={id} label={label} error={error} hint={hint}>
      <div ref={frame} className="relative scroll-mt-10">
        <input
          ref={ref}
          id={id}
          type="text"
          role="combobox"
          inputMode="search"
          enterKeyHint="done"
          autoComplete="off"
          autoCapitalize="sentences"
          autoCorrect="off"
          spellCheck={false}
          placeholder={placeholder}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-expanded={open}
          aria-controls={listId}
          aria-activedescendant={open && active ? placeElementId(listId, active.key) : undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedByOf(id, error, hint)}
          aria-busy={busy || undefined}
          value={typed ?? valueText}
          className={`${fieldControlClassName} h-10 truncate pr-9 pointer-coarse:h-11`}
          // What is typed takes the place of what is picked.
          onFocus={(event) => event.currentTarget.select()}
          onClick={(event) => {
            if (!open) event.currentTarget.select();
            show();
          }}
          onBlur={close}
          onChange={(event) => {
            if (busy) return;
            setTyped(event.target.value);
            walkTo(null);
            setOpen(true);
          }}
          onKeyDown={followKey}
        />
        {busy ? (
          <LoaderCircle
            aria-hidden
            className="pointer-events-none absolute top-1/2 right-3 -mt-2 size-4 animate-spin text-ink-faint"
          />
        ) : (
          <ChevronsUpDown
            aria-hidden
            className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-ink-faint"
          />
        )}
        {open ? (
          <Popup field={frame}>
            <PickListbox
              id={listId}
              label={listLabel}
              groups={shown}
              activeKey={active?.key ?? null}
              onActive={walkTo}
              onPick={pick}
              className="max-h-[inherit] py-1.5"
            />
            {shown.length === 0 ? (
              <p role="status" className="px-4 pb-3 text-base text-ink-soft">
                {emptyText}
              </p>
            ) : null}
          </Popup>
        ) : null}
      </div>
    </FieldFrame>
  );
}

function isIn(options: PickGroup['options'], id: string): boolean {
  return options.some((option) => option.id === id);
}

interface PopupProps {
  readonly field: React.RefObject<HTMLElement | null>;
  readonly children: ReactNode;
}

/** The list over the form. It is the field's in the document, so that a press on it is none beside the dialog. */
function Popup({ field, children }: PopupProps) {
  const popup = useRef<HTMLDivElement>(null);
  usePopupPlace(field, popup);
  return (
    <div ref={popup} className={`${popupClassName} fixed inset-auto m-0 overflow-hidden p-0`}>
      {children}
    </div>
  );
}
