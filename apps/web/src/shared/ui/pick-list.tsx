import { Search } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useId, useMemo, useState } from 'react';
import { fieldControlClassName } from './field-control.ts';
import { PickListGroups } from './pick-list-groups.tsx';
import { narrowGroups, type PickGroup, placeKey, walkPlaces } from './pick-options.ts';

export interface PickListProps {
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
