import { type MouseEvent, memo, type RefObject, useEffect, useRef } from 'react';
import { joinClassNames } from '../../lib/browser/join-class-names.ts';
import { type PickGroup, type PickOption, placeKey } from './pick-options.ts';

interface PickListboxProps {
  /** Begins the id of every place. */
  readonly id: string;
  readonly label: string;
  readonly groups: readonly PickGroup[];
  readonly activeKey: string | null;
  readonly onActive: (key: string) => void;
  readonly onPick: (optionId: string) => void;
  readonly className?: string;
  readonly ref?: RefObject<HTMLDivElement | null> | undefined;
}

/** The id of a place in the document, for aria-activedescendant. */
export function placeElementId(listId: string, key: string): string {
  return `${listId}-${key}`;
}

/** The options of a picker below the headings of their groups. The keyboard is in the picker's field, or under a thumb on the list. */
export function PickListbox(props: PickListboxProps) {
  const { id, label, groups, activeKey, onActive, onPick, className, ref } = props;
  const placeOf = (event: MouseEvent) =>
    event.target instanceof Element
      ? event.target.closest<HTMLElement>('[role=option]:not([aria-disabled])')?.dataset
      : undefined;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the picker takes the keys
    <div
      ref={ref}
      id={id}
      role="listbox"
      aria-label={label}
      tabIndex={-1}
      // Under a thumb the list has the keyboard, not the field.
      aria-activedescendant={activeKey === null ? undefined : placeElementId(id, activeKey)}
      className={joinClassNames('overflow-y-auto overscroll-contain px-2 outline-none', className)}
      onPointerMove={(event) => {
        const key = placeOf(event)?.['place'];
        if (key !== undefined && key !== activeKey) onActive(key);
      }}
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => {
        const optionId = placeOf(event)?.['option'];
        if (optionId !== undefined) onPick(optionId);
      }}
    >
      {groups.map((group, index) => (
        <PickListboxGroup
          key={`${group.shortcut} ${group.label}`}
          id={id}
          headingId={`${id}-heading-${index}`}
          group={group}
          activeKey={activeKey}
        />
      ))}
    </div>
  );
}

interface PickListboxGroupProps extends Pick<PickListboxProps, 'id' | 'activeKey'> {
  readonly headingId: string;
  readonly group: PickGroup;
}

function PickListboxGroup({ id, headingId, group, activeKey }: PickListboxGroupProps) {
  const options = group.options.map((option) => {
    const key = placeKey(group, option);
    return (
      <Option key={key} id={placeElementId(id, key)} place={key} option={option} active={key === activeKey} />
    );
  });
  if (group.label === '') return options;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed inside a listbox
    <div role="group" aria-labelledby={headingId} className="pb-1.5">
      <div
        id={headingId}
        className="sticky top-0 z-1 truncate bg-surface px-2 py-1 text-xs font-medium text-ink-faint"
      >
        {group.label}
      </div>
      {options}
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly place: string;
  readonly option: PickOption;
  readonly active: boolean;
}

/** Memoised: of a thousand, a step of the walk draws two. One beyond the list's edge is not laid out. */
const Option = memo(function Option({ id, place, option, active }: OptionProps) {
  const { name, detail, icon, disabled = false } = option;
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active) row.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the combobox
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={active}
      aria-disabled={disabled || undefined}
      data-place={place}
      data-option={option.id}
      className={joinClassNames(
        'flex h-9 [content-visibility:auto] scroll-mt-7 items-center gap-2.5 rounded px-2 text-base pointer-coarse:h-11',
        disabled ? 'text-ink-faint' : 'cursor-pointer',
        active && 'bg-hover',
      )}
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{name}</span>
      {detail ? <span className="max-w-1/2 shrink-0 truncate text-xs text-ink-faint">{detail}</span> : null}
    </div>
  );
});
