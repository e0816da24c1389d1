import type { RefObject } from 'react';
import type { Person } from '../../../shared/lib/session/read-person.ts';
import { Popover } from '../../../shared/ui/popover.tsx';
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
export function AccountPopover({ open, anchor, onClose, onOpenBilling, ...panel }: AccountPopoverProps) {
  const openBilling = () => {
    onClose();
    onOpenBilling();
  };
  return (
    <Popover open={open} onClose={onClose} anchor={anchor} label="Conta" className="w-72">
      <AccountPanel {...panel} onNavigate={onClose} onOpenBilling={openBilling} />
    </Popover>
  );
}
