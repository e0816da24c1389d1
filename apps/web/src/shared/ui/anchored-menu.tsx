import { Menu as Base } from '@base-ui/react/menu';
import type { ReactNode } from 'react';
import { useRef } from 'react';
import { popupClassName } from './floating-class-names.ts';

interface AnchoredMenuProps {
  /** The element that was clicked (event.currentTarget); null closes the menu. */
  readonly anchor: Element | null;
  readonly onClose: () => void;
  /** Read aloud as the menu's name: 'Ações da pasta Receitas'. */
  readonly label: string;
  readonly children: ReactNode;
}

/**
 * One menu for a whole list, opened beside whichever row's button was clicked. A menu mounted in each row halves
 * scrolling speed. Focus goes back to the anchor; give the button aria-haspopup="menu" and aria-expanded.
 */
export function AnchoredMenu({ anchor, onClose, label, children }: AnchoredMenuProps) {
  // While the menu fades out it stays where it was, though the anchor is already gone from the state.
  const last = useRef<Element | null>(null);
  if (anchor) last.current = anchor;
  return (
    <Base.Root open={anchor !== null} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Base.Portal role="region" aria-label="Opções">
        <Base.Positioner
          anchor={() => last.current}
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="outline-none"
        >
          <Base.Popup
            aria-label={label}
            finalFocus={() => (last.current instanceof HTMLElement ? last.current : true)}
            className={`${popupClassName} min-w-44 p-1`}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
