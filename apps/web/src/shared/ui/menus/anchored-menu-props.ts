import type { ReactNode } from 'react';

export interface AnchoredMenuProps {
  /** The element that was clicked (event.currentTarget); null closes the menu. */
  readonly anchor: Element | null;
  readonly onClose: () => void;
  /** Read aloud as the menu's name: 'Ações da pasta Receitas'. */
  readonly label: string;
  /** MenuItem, MenuLink, MenuSeparator … */
  readonly children: ReactNode;
}
