import type { Menu } from '@base-ui/react/menu';
import { createContext, use } from 'react';

type MenuParts = Pick<typeof Menu, 'Item' | 'Separator'>;

/**
 * The parts of a menu arrive with its popup, which is fetched when a menu is first needed: so the files that write
 * a menu's entries weigh nothing before that.
 */
export const MenuPartsContext = createContext<MenuParts | null>(null);

/** The parts of the menu around an entry. */
export function useMenuParts(): MenuParts {
  const parts = use(MenuPartsContext);
  if (!parts) throw new Error('an entry of a menu stands outside of AnchoredMenu');
  return parts;
}
