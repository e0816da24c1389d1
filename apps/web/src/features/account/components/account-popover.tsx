import { Popover } from '@base-ui/react/popover';
import type { RefObject } from 'react';
import type { Person } from '../../../shared/lib/session/read-person.ts';
import { popupClassName } from '../../../shared/ui/floating-class-names.ts';
import { AccountPanel } from './account-panel.tsx';

interface AccountPopoverProps {
  readonly open: boolean;
  readonly anchor: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
  readonly person: Person;
  readonly leaving: boolean;
  readonly onSignOut: () => void;
  readonly onOpenBilling: () => void;
}

/** The account menu's floating panel. */
export function AccountPopover({
  open,
  anchor,
  onClose,
  person,
  leaving,
  onSignOut,
  onOpenBilling,
}: AccountPopoverProps) {
  return (
    <Popover.Root
      open={open}
      onOpenChange={(next, details) => {
        if (next) return;
        // The avatar closes what it opened; treating its press as one outside would open it again.
        const target = details.event.target;
        if (details.reason === 'outside-press' && target instanceof Node && anchor.current?.contains(target))
          return;
        onClose();
      }}
    >
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} align="end" sideOffset={8} collisionPadding={8}>
          <Popover.Popup
            aria-label="Conta"
            finalFocus={anchor}
            className={`${popupClassName} w-72 max-w-[calc(100vw-1rem)]`}
          >
            <AccountPanel
              person={person}
              leaving={leaving}
              onSignOut={onSignOut}
              onNavigate={onClose}
              onOpenBilling={() => {
                onClose();
                onOpenBilling();
              }}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
