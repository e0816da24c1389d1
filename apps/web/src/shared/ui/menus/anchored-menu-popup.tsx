import { Menu as Base } from '@base-ui/react/menu';
import { useRef } from 'react';
import type { AnchoredMenuProps } from './anchored-menu-props.ts';
import { popupClassName } from './floating-class-names.ts';
import { MenuPartsContext } from './menu-parts-context.ts';

/** The menu that AnchoredMenu fetches. */
export function AnchoredMenuPopup({ anchor, onClose, label, children }: AnchoredMenuProps) {
  // While the menu fades out it stays where it was, though the anchor is already gone from the state.
  const last = useRef<Element | null>(null);
  if (anchor) last.current = anchor;
  return (
    <MenuPartsContext value={Base}>
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
              finalFocus={() => returnFocusTo(last.current)}
              className={`${popupClassName} min-w-44 p-1`}
            >
              {children}
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </MenuPartsContext>
  );
}

/**
 * Focus goes back to where the menu was opened, unless a dialog or a field that one of its entries opened has taken it already, or the row
 * that it was opened in has gone with the act: then it stays where the act has put it.
 */
function returnFocusTo(anchor: Element | null): HTMLElement | boolean {
  const dialog = document.activeElement?.closest('[role="dialog"], [role="alertdialog"], [data-keeps-focus]');
  if (dialog && !dialog.contains(anchor)) return false;
  if (anchor?.isConnected === false) return false;
  return anchor instanceof HTMLElement ? anchor : true;
}
