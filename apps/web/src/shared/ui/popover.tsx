import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';
import { popupClassName } from './floating-class-names.ts';

interface PopoverProps {
  readonly trigger: ReactElement;
  /** Read aloud as the popover's name. */
  readonly label: string;
  readonly align?: 'start' | 'center' | 'end';
  readonly children: ReactNode;
}

/** Free content beside the button that opens it. */
export function Popover({ trigger, label, align = 'center', children }: PopoverProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={6} collisionPadding={8}>
          <Base.Popup aria-label={label} className={`${popupClassName} max-w-[calc(100vw-1rem)] p-4`}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
