import type { MouseEvent, ReactNode } from 'react';
import { useEffect, useRef } from 'react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';

export interface SearchOptionProps {
  readonly id: string;
  readonly active: boolean;
  readonly onActive: () => void;
  readonly onChoose: () => void;
}

interface SearchOptionFrameProps extends SearchOptionProps {
  /** What a press with Ctrl or Cmd does, or with the middle button; a plain press where there is nothing else. */
  readonly onVisit?: () => void;
  readonly children: ReactNode;
}

/** A row of the results. Focus stays in the field, which points here with aria-activedescendant. */
export function SearchOption({ id, active, onActive, onChoose, onVisit, children }: SearchOptionFrameProps) {
  const option = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active) option.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const press = (event: MouseEvent) => {
    if (onVisit && (event.ctrlKey || event.metaKey)) onVisit();
    else onChoose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox takes the keys and points here with aria-activedescendant
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the combobox
    <div
      ref={option}
      id={id}
      role="option"
      aria-selected={active}
      className={joinClassNames(
        'flex cursor-pointer gap-3 rounded px-2.5 py-2 pointer-coarse:py-3.5',
        active && 'bg-hover',
      )}
      onPointerMove={active ? undefined : onActive}
      // Keeps focus in the field, so that the dropdown is still there when the press ends.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={press}
      onAuxClick={(event) => {
        if (event.button === 1) onVisit?.();
      }}
    >
      {children}
    </div>
  );
}
