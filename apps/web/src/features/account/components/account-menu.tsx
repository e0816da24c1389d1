import { Popover } from '@base-ui/react/popover';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Person } from '../../../shared/lib/session/read-person.ts';
import { Avatar } from '../../../shared/ui/avatar.tsx';
import { popupClassName } from '../../../shared/ui/floating-class-names.ts';
import { AccountPanel } from './account-panel.tsx';

interface AccountMenuProps {
  readonly person: Person;
  readonly leaving: boolean;
  readonly onSignOut: () => void;
  /** Opens the settings dialog at its billing tab. */
  readonly onOpenBilling: () => void;
}

/** The avatar that opens who you are, what you use and where to go. The link count is renewed at each opening. */
export function AccountMenu({ person, leaving, onSignOut, onOpenBilling }: AccountMenuProps) {
  const [open, setOpen] = useState(false);
  const queryClient = useQueryClient();
  const change = (next: boolean) => {
    setOpen(next);
    if (next) void queryClient.invalidateQueries({ queryKey: ['library-counts'] });
  };
  return (
    <Popover.Root open={open} onOpenChange={change}>
      <Popover.Trigger
        aria-label="Abrir menu da conta"
        className="shrink-0 rounded-full outline-offset-2 hover:outline-2 hover:outline-line pointer-coarse:grid pointer-coarse:size-11 pointer-coarse:place-items-center"
      >
        <Avatar name={person.name} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner align="end" sideOffset={8} collisionPadding={8}>
          <Popover.Popup aria-label="Conta" className={`${popupClassName} w-72 max-w-[calc(100vw-1rem)]`}>
            <AccountPanel
              person={person}
              leaving={leaving}
              onSignOut={onSignOut}
              onOpenBilling={() => {
                setOpen(false);
                onOpenBilling();
              }}
              onNavigate={() => setOpen(false)}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
