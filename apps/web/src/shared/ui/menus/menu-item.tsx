import type { ReactNode } from 'react';
import { lockProps, PlanLockMark } from '../plan-lock.tsx';
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
  /** What the plan lacks for it, or how full it is: said before the press. Null where there is nothing to say. */
  readonly lock?: string | null;
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
  lock = null,
  children,
}: MenuItemProps) {
  const { Item } = useMenuParts();
  return (
    <Item
      {...lockProps(lock)}
      disabled={disabled}
      closeOnClick={!keepOpen}
      onClick={onSelect}
      className={menuItemClassName(tone)}
    >
      {icon}
      <span className="flex-1 truncate">{children}</span>
      {aside}
      {lock === null ? null : <PlanLockMark />}
    </Item>
  );
}

/** Class names of every entry of a menu, whether it acts or leads somewhere. */
function menuItemClassName(tone: 'neutral' | 'danger' = 'neutral'): string {
  return (
    'flex h-8 w-full cursor-default items-center gap-2.5 rounded-sm px-2 text-base outline-none select-none ' +
    'data-disabled:opacity-50 pointer-coarse:h-11 [&_svg]:size-4 [&_svg]:shrink-0 ' +
    (tone === 'danger'
      ? 'text-danger-text data-highlighted:bg-danger-soft'
      : 'text-ink data-highlighted:bg-hover [&_svg]:text-ink-faint')
  );
}
