import type { ReactNode } from 'react';
import { menuItemClassName } from './menu-item-class-name.ts';
import { useMenuParts } from './menu-parts-context.ts';

interface MenuItemProps {
  readonly onSelect: () => void;
  readonly icon?: ReactNode;
  readonly tone?: 'neutral' | 'danger';
  readonly disabled?: boolean;
  /** Keep the menu open while the action runs, e.g. 'Saindo...'. */
  readonly keepOpen?: boolean;
  /** Shown at the right, quietly: a state or a key. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** An action of a menu. */
export function MenuItem({
  onSelect,
  icon,
  tone,
  disabled = false,
  keepOpen = false,
  aside,
  children,
}: MenuItemProps) {
  const { Item } = useMenuParts();
  return (
    <Item disabled={disabled} closeOnClick={!keepOpen} onClick={onSelect} className={menuItemClassName(tone)}>
      {icon}
      <span className="flex-1 truncate">{children}</span>
      {aside}
    </Item>
  );
}
