import { useEffect, useRef } from 'react';
import { joinClassNames } from '../lib/join-class-names.ts';
import { type PickGroup, type PickOption, placeKey } from './pick-options.ts';

interface PickListGroupsProps {
  readonly groups: readonly PickGroup[];
  /** Begins the id of every place. */
  readonly listId: string;
  readonly activeKey: string | null;
  readonly onActive: (key: string) => void;
  readonly onPick: (id: string) => void;
}

/** The options of a PickList below the headings of their groups. */
export function PickListGroups({ groups, listId, activeKey, onActive, onPick }: PickListGroupsProps) {
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
