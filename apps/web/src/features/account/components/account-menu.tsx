import { EllipsisVertical } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { lazyPart } from '../../../shared/lib/browser/lazy-part.tsx';
import { toggleSeen } from '../../../shared/lib/browser/toggle-seen.ts';
import { useIdlePreload } from '../../../shared/lib/browser/use-idle-preload.ts';
import type { Person } from '../../../shared/lib/session/read-person.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { useRefreshLibraryCounts } from '../api/usage.ts';
import type { AccountEntry } from './account-panel.tsx';
import { PersonAvatar } from './picture/person-avatar.tsx';

const loadPopover = () => import('./account-popover.tsx');
const AccountPopover = lazyPart(loadPopover, (module) => module.AccountPopover);

interface AccountMenuProps {
  readonly person: Person;
  readonly leaving: boolean;
  readonly onSignOut: () => void;
  /** Opens the settings dialog at its billing tab. */
  readonly onOpenBilling: () => void;
  readonly onOpenShortcuts: () => void;
  /** On a narrow screen: a menu button in place of the avatar, with 'Planos' and these entries instead of shortcuts. */
  readonly narrow?: { readonly entries: readonly AccountEntry[] } | undefined;
}

/**
 * The avatar, or the menu button of a narrow screen, that opens who you are, what you use and where to go. The link count is renewed at each opening; the
 * popover's code comes in an idle moment.
 */
export function AccountMenu(props: AccountMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState<boolean | null>(null);
  const refreshCounts = useRefreshLibraryCounts();
  useIdlePreload(loadPopover);
  const toggle = () => {
    if (!open) refreshCounts();
    setOpen(toggleSeen(open === true));
  };
  const opener = {
    ref: button,
    'aria-haspopup': 'dialog',
    'aria-expanded': open === true,
    onClick: toggle,
  } as const;
  return (
    <>
      {props.narrow ? (
        <IconButton {...opener} label="Abrir menu">
          <EllipsisVertical aria-hidden />
        </IconButton>
      ) : (
        <button
          {...opener}
          type="button"
          aria-label="Abrir menu da conta"
          title={props.person.name}
          className="shrink-0 rounded-full outline-offset-2 hover:outline-2 hover:outline-line pointer-coarse:grid pointer-coarse:size-11 pointer-coarse:place-items-center"
        >
          <PersonAvatar person={props.person} />
        </button>
      )}
      {open === null ? null : (
        <Suspense>
          <AccountPopover {...props} open={open} anchor={button} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
