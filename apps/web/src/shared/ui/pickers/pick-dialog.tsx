import { Search } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import { Dialog, type DialogProps } from '../dialogs/dialog.tsx';
import { fieldControlClassName } from '../fields/field-control.ts';
import { PickListbox, placeElementId } from './pick-listbox.tsx';
import type { OfferCreation, PickGroup } from './pick-options.ts';
import { usePickWalk } from './use-pick-walk.ts';

type PickDialogProps = Pick<DialogProps, 'open' | 'onClose' | 'title' | 'finalFocus'> &
  Omit<PickListProps, 'list'> & {
    /** Stands below the title in one line: what the choice is for. */
    readonly description?: string | undefined;
  };

/** A dialog that asks to pick one of a list. Under a thumb the field waits for its press: the keyboard would hide the list. */
export function PickDialog({ open, onClose, title, finalFocus, description, ...list }: PickDialogProps) {
  const rows = useRef<HTMLDivElement>(null);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      description={description ? <span className="line-clamp-1">{description}</span> : undefined}
      initialFocus={() => (window.matchMedia('(pointer: coarse)').matches ? rows.current : true)}
      {...(finalFocus ? { finalFocus } : {})}
    >
      <PickList {...list} list={rows} />
    </Dialog>
  );
}

interface PickListProps {
  /** Name of the search field: 'Buscar categoria'. */
  readonly label: string;
  /** Name of the list: 'Categorias'. */
  readonly listLabel: string;
  readonly groups: readonly PickGroup[];
  /** What stands there when nothing matches. */
  readonly emptyText: string;
  /** Offers to make what is typed. */
  readonly offerCreation?: OfferCreation;
  /** @param term what is typed, for an option that makes it. */
  readonly onPick: (id: string, term: string) => void;
  /** Between field and list: how the last pick ended, when it did not end well. */
  readonly notice?: ReactNode;
  /** The list below the field. */
  readonly list?: RefObject<HTMLDivElement | null>;
}

/** A list to pick one from, with a field that narrows it down. Arrows walk past what cannot be picked, Enter picks. */
export function PickList(props: PickListProps) {
  const { label, listLabel, groups, emptyText, offerCreation, onPick, notice, list } = props;
  const listId = useId();
  const [term, setTerm] = useState('');
  const { shown, active, walk, walkTo } = usePickWalk({ groups, term, offerCreation });
  const pick = (id: string) => onPick(id, term);

  const followKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || active === null) return;
    if (event.key === 'Enter') pick(active.id);
    else if (!walk(event.key)) return;
    event.preventDefault();
  };

  return (
    <div className="flex flex-col gap-3">
      <div className="relative">
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-faint"
        />
        <input
          type="text"
          role="combobox"
          inputMode="search"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          aria-label={label}
          placeholder={label}
          aria-autocomplete="list"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={active ? placeElementId(listId, active.key) : undefined}
          value={term}
          onChange={(event) => {
            setTerm(event.target.value);
            walkTo(null);
          }}
          onKeyDown={followKey}
          className={`${fieldControlClassName} h-10 pl-9 pointer-coarse:h-11`}
        />
      </div>
      {notice}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys pressed on the list, which has the focus under a thumb */}
      <div className="relative" onKeyDown={followKey}>
        <PickListbox
          ref={list}
          id={listId}
          label={listLabel}
          groups={shown}
          activeKey={active?.key ?? null}
          onActive={walkTo}
          onPick={pick}
          className="-mx-2 h-80 max-h-[50dvh]"
        />
        {shown.length === 0 ? (
          <p role="status" className="absolute inset-x-0 top-3 text-center text-base text-ink-soft">
            {emptyText}
          </p>
        ) : null}
      </div>
    </div>
  );
}
