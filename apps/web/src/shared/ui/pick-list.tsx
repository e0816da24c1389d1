import { foldText } from '@linkoteca/domain/fold-text';
import { Search } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { joinClassNames } from '../lib/join-class-names.ts';
import { fieldControlClassName } from './field-control.ts';

export interface PickOption {
  readonly id: string;
  readonly name: string;
  /** Stands behind the name: where it is, or why it cannot be picked. */
  readonly detail?: string;
  readonly icon?: ReactNode;
  readonly disabled?: boolean;
}

export interface PickGroup {
  /** Empty for a list without headings. */
  readonly label: string;
  readonly options: readonly PickOption[];
  /** A shortcut to options that stand in another group as well: left out while someone searches. */
  readonly shortcut?: boolean;
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
}

/**
 * A list to pick one from, with a field that narrows it down: case and accents do not count, and words of the group's
 * name help. Arrows walk, Enter picks.
 */
export function PickList({ label, listLabel, groups, emptyText, onPick }: PickListProps) {
  const listId = useId();
  const [term, setTerm] = useState('');
  const [walked, setWalked] = useState(0);
  const shown = useMemo(() => narrow(groups, term), [groups, term]);
  const places = shown.flatMap((group) =>
    group.options.filter((option) => !option.disabled).map(placeOf(group)),
  );
  const active = places[Math.min(walked, places.length - 1)];

  const followKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || places.length === 0) return;
    const at = Math.min(walked, places.length - 1);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 + places.length, PageDown: at + 8, PageUp: at - 8 }[
      event.key
    ];
    if (next !== undefined) {
      event.preventDefault();
      const jump = event.key.startsWith('Page');
      setWalked(jump ? Math.min(places.length - 1, Math.max(0, next)) : next % places.length);
    } else if (event.key === 'Enter' && active) {
      event.preventDefault();
      onPick(active.option.id);
    }
  };

  return (
    <div className="flex min-h-0 flex-col gap-3">
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
      <div
        id={listId}
        role="listbox"
        aria-label={listLabel}
        className="-mx-2 h-80 max-h-[50dvh] overflow-y-auto overscroll-contain px-2"
      >
        {shown.map((group) => (
          <Group key={group.label} group={group} listId={listId}>
            {group.options.map((option) => {
              const { key } = placeOf(group)(option);
              const at = places.findIndex((place) => place.key === key);
              return (
                <Option
                  key={key}
                  id={`${listId}-${key}`}
                  option={option}
                  active={key === active?.key}
                  onActive={() => setWalked(at)}
                  onPick={() => onPick(option.id)}
                />
              );
            })}
          </Group>
        ))}
      </div>
      {shown.length === 0 ? (
        <p role="status" className="-mt-80 h-80 max-h-[50dvh] pt-3 text-center text-base text-ink-soft">
          {emptyText}
        </p>
      ) : null}
    </div>
  );
}

interface GroupProps {
  readonly group: PickGroup;
  readonly listId: string;
  readonly children: ReactNode;
}

function Group({ group, listId, children }: GroupProps) {
  if (group.label === '') return children;
  const headingId = `${listId}-${group.label}-heading`.replaceAll(/\s/g, '_');
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed inside a listbox
    <div role="group" aria-labelledby={headingId} className="pb-1.5">
      <div
        id={headingId}
        className="sticky top-0 z-1 truncate bg-surface px-2 py-1 text-xs font-medium text-ink-faint"
      >
        {group.label}
      </div>
      {children}
    </div>
  );
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

/** The same option may stand in two groups; each place has a key of its own. */
function placeOf(group: PickGroup) {
  return (option: PickOption) => ({ option, key: group.shortcut ? `shortcut-${option.id}` : option.id });
}

/** The groups with the options whose own name or group's name holds every word. */
function narrow(groups: readonly PickGroup[], term: string): readonly PickGroup[] {
  const words = foldText(term).split(/\s+/).filter(Boolean);
  return groups.flatMap((group) => {
    if (words.length > 0 && group.shortcut) return [];
    const options = group.options.filter(({ name }) => {
      const text = foldText(`${name} ${group.label}`);
      return words.every((word) => text.includes(word));
    });
    return options.length === 0 ? [] : [{ ...group, options }];
  });
}
