import { Popover as Base } from '@base-ui/react/popover';
import type { ReactNode, RefObject } from 'react';
import { joinClassNames } from '../../lib/browser/join-class-names.ts';
import { popupClassName } from './floating-class-names.ts';

interface PopoverProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** The button that opened it: the popover stands beside it and gives focus back to it. */
  readonly anchor: RefObject<HTMLElement | null>;
  /** Read aloud as the popover's name. */
  readonly label: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/**
 * Free content beside the button that opens it. Import it lazily and keep the button plain: the code that places it
 * is not needed before the first press.
 */
export function Popover({ open, onClose, anchor, label, className, children }: PopoverProps) {
  return (
    <Base.Root
      open={open}
      onOpenChange={(next, { reason, event }) => {
        if (next) return;
        // The button closes what it opened; taking its press for one outside would open it again.
        const onAnchor = event.target instanceof Node && anchor.current?.contains(event.target);
        if (reason !== 'outside-press' || !onAnchor) onClose();
      }}
    >
      <Base.Portal>
        <Base.Positioner anchor={anchor} align="end" sideOffset={8} collisionPadding={8}>
          <Base.Popup
            aria-label={label}
            finalFocus={anchor}
            className={joinClassNames(popupClassName, 'max-w-[calc(100vw-1rem)]', className)}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
