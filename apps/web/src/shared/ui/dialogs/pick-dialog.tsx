import { Search } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import { joinClassNames } from '../../lib/browser/join-class-names.ts';
import { fieldControlClassName } from '../fields/field-control.ts';
import { Dialog, type DialogProps } from './dialog.tsx';
import { narrowGroups, type PickGroup, type PickOption, placeKey, walkPlaces } from './pick-options.ts';

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
  readonly onPick: (id: string) => void;
  /** The list below the field. */
  readonly list?: RefObject<HTMLDivElement | null>;
}

/** A list to pick one from, with a field that narrows it down. Arrows walk past what cannot be picked, Enter picks. */
export function PickList({ label, listLabel, groups, emptyText, onPick, list }: PickListProps) {
  const listId = useId();
  const [term, setTerm] = useState('');
  const [walked, setWalked] = useState(0);
  const shown = useMemo(() => narrowGroups(groups, term), [groups, term]);
  const places = useMemo(() => listPlaces(shown), [shown]);
  const at = Math.min(walked, places.length - 1);
  const active = places[at] ?? null;

  const followKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || active === null) return;
    const next = walkPlaces(event.key, at, places.length);
    if (next === null && event.key !== 'Enter') return;
    event.preventDefault();
    if (next === null) onPick(active.id);
    else setWalked(next);
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
          aria-activedescendant={active ? `${listId}-${active.key}` : undefined}
          value={term}
          onChange={(event) => {
            setTerm(event.target.value);
            setWalked(0);
          }}
          onKeyDown={followKey}
          className={`${fieldControlClassName} h-10 pl-9 pointer-coarse:h-11`}
        />
      </div>
      <div className="relative">
        <div
          ref={list}
          id={listId}
          role="listbox"
          aria-label={listLabel}
          tabIndex={-1}
          onKeyDown={followKey}
          className="-mx-2 h-80 max-h-[50dvh] overflow-y-auto overscroll-contain px-2 outline-none"
        >
          <PickListGroups
            groups={shown}
            listId={listId}
            activeKey={active?.key ?? null}
            onActive={(key) => setWalked(places.findIndex((place) => place.key === key))}
            onPick={onPick}
          />
        </div>
        {shown.length === 0 ? (
          <p role="status" className="absolute inset-x-0 top-3 text-center text-base text-ink-soft">
            {emptyText}
          </p>
        ) : null}
      </div>
    </div>
  );
}

/** What can be picked, from top to bottom. */
function listPlaces(groups: readonly PickGroup[]) {
  return groups.flatMap((group) =>
    group.options
      .filter((option) => !option.disabled)
      .map((option) => ({ id: option.id, key: placeKey(group, option) })),
  );
}

interface PickListGroupsProps {
  readonly groups: readonly PickGroup[];
  /** Begins the id of every place. */
  readonly listId: string;
  readonly activeKey: string | null;
  readonly onActive: (key: string) => void;
  readonly onPick: (id: string) => void;
}

/** The options of a PickList below the headings of their groups. */
function PickListGroups({ groups, listId, activeKey, onActive, onPick }: PickListGroupsProps) {
  return groups.map((group, index) => {
    const options = group.options.map((option) => {
      const key = placeKey(group, option);
      return (
        <Option
          key={key}
          id={`${listId}-${key}`}
          option={option}
          active={key === activeKey}
          onActive={() => onActive(key)}
          onPick={() => onPick(option.id)}
        />
      );
    });
    if (group.label === '') return options;
    const headingId = `${listId}-heading-${index}`;
    return (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed inside a listbox
      <div key={headingId} role="group" aria-labelledby={headingId} className="pb-1.5">
        <div
          id={headingId}
          className="sticky top-0 z-1 truncate bg-surface px-2 py-1 text-xs font-medium text-ink-faint"
        >
          {group.label}
        </div>
        {options}
      </div>
    );
  });
}

interface OptionProps {
  readonly id: string;
  readonly option: PickOption;
  readonly active: boolean;
  readonly onActive: () => void;
  readonly onPick: () => void;
}

function Option({ id, option, active, onActive, onPick }: OptionProps) {
  const { name, detail, icon, disabled = false } = option;
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active) row.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox takes the keys and points here with aria-activedescendant
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the combobox
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={active}
      aria-disabled={disabled || undefined}
      className={joinClassNames(
        'flex h-9 scroll-mt-7 items-center gap-2.5 rounded px-2 text-base pointer-coarse:h-11',
        disabled ? 'text-ink-faint' : 'cursor-pointer',
        active && 'bg-hover',
      )}
      onPointerMove={active || disabled ? undefined : onActive}
      // Focus stays in the field.
      onPointerDown={(event) => event.preventDefault()}
      onClick={disabled ? undefined : onPick}
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{name}</span>
      {detail ? <span className="max-w-1/2 shrink-0 truncate text-xs text-ink-faint">{detail}</span> : null}
    </div>
  );
}
