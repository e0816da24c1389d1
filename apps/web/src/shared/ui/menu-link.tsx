import type { ReactElement, ReactNode } from 'react';
import { menuItemClassName } from './menu-item-class-name.ts';
import { useMenuParts } from './menu-parts-context.ts';

interface MenuLinkProps {
  /** The router's link, without children: `<Link to="/profile" />`. */
  readonly link: ReactElement;
  readonly icon?: ReactNode;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** An entry of a menu that leads to another page. */
export function MenuLink({ link, icon, aside, children }: MenuLinkProps) {
  const { LinkItem } = useMenuParts();
  return (
    <LinkItem closeOnClick render={link} className={menuItemClassName()}>
      {icon}
      <span className="flex-1 truncate">{children}</span>
      {aside}
    </LinkItem>
  );
}
