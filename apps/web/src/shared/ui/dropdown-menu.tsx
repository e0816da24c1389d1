import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import { popupClassName } from './floating-class-names.ts';
import { MenuPartsContext } from './menu-parts-context.ts';

interface DropdownMenuProps {
  /** The button that opens the menu, e.g. an IconButton. */
  readonly trigger: ReactElement;
  readonly align?: 'start' | 'center' | 'end';
  readonly onOpenChange?: (open: boolean) => void;
  readonly className?: string;
  /** MenuItem, MenuLink, MenuSeparator … */
  readonly children: ReactNode;
}

/** A menu with a button of its own. For rows of a list use AnchoredMenu: one menu serves them all. */
export function DropdownMenu({
  trigger,
  align = 'end',
  onOpenChange,
  className = 'min-w-44',
  children,
}: DropdownMenuProps) {
  return (
    <MenuPartsContext value={Base}>
      <Base.Root {...(onOpenChange ? { onOpenChange } : {})}>
        <Base.Trigger render={trigger} />
        <Base.Portal role="region" aria-label="Opções">
          <Base.Positioner align={align} sideOffset={6} collisionPadding={8} className="outline-none">
            <Base.Popup className={`${popupClassName} p-1 ${className}`}>{children}</Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </MenuPartsContext>
  );
}
