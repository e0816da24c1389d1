import { Link } from '@tanstack/react-router';
import { CreditCard, EllipsisVertical, LogOut, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { DropdownMenu } from '../../../shared/ui/dropdown-menu.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { MenuItem } from '../../../shared/ui/menu-item.tsx';
import { MenuLink } from '../../../shared/ui/menu-link.tsx';
import { MenuSeparator } from '../../../shared/ui/menu-separator.tsx';

interface NarrowMenuProps {
  readonly leaving: boolean;
  readonly onSignOut: () => void;
  /** Entries before Sair: the theme. */
  readonly children: ReactNode;
}

/** The menu of narrow screens: Perfil, Planos, Sair. */
export function NarrowMenu({ leaving, onSignOut, children }: NarrowMenuProps) {
  return (
    <DropdownMenu
      className="min-w-52"
      trigger={
        <IconButton label="Abrir menu">
          <EllipsisVertical aria-hidden />
        </IconButton>
      }
    >
      <MenuLink link={<Link to="/profile" />} icon={<UserRound aria-hidden />}>
        Perfil
      </MenuLink>
      <MenuLink link={<Link to="/plans" />} icon={<CreditCard aria-hidden />}>
        Planos
      </MenuLink>
      {children}
      <MenuSeparator />
      <MenuItem icon={<LogOut aria-hidden />} disabled={leaving} keepOpen onSelect={onSignOut}>
        {leaving ? 'Saindo...' : 'Sair'}
      </MenuItem>
    </DropdownMenu>
  );
}
