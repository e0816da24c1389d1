import type { RefObject } from 'react';
import type { Person } from '../../../shared/lib/session/read-person.ts';
import { Popover } from '../../../shared/ui/menus/popover.tsx';
import { type AccountEntry, AccountPanel } from './account-panel.tsx';

interface AccountPopoverProps {
  readonly open: boolean;
  readonly anchor: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
  readonly person: Person;
  readonly leaving: boolean;
  readonly onSignOut: () => void;
  readonly onOpenBilling: () => void;
  readonly onOpenShortcuts: () => void;
  readonly narrow?: { readonly entries: readonly AccountEntry[] } | undefined;
}

/** The account menu's floating panel. */
export function AccountPopover(props: AccountPopoverProps) {
  const { open, anchor, onClose, onOpenBilling, onOpenShortcuts, ...panel } = props;
  const afterClosing = (action: () => void) => () => {
    onClose();
    action();
  };
  return (
    <Popover
      open={open}
      onClose={onClose}
      anchor={anchor}
      label="Conta"
      className="max-h-(--available-height) w-72 overflow-y-auto overscroll-contain"
    >
      <AccountPanel
        {...panel}
        onNavigate={onClose}
        onOpenBilling={afterClosing(onOpenBilling)}
        onOpenShortcuts={afterClosing(onOpenShortcuts)}
      />
    </Popover>
  );
}
