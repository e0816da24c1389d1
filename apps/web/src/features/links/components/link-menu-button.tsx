import { memo } from 'react';
import { joinClassNames } from '../../../shared/lib/join-class-names.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import type { LinkItemProps } from './link-item-props.ts';

type LinkMenuButtonProps = Pick<LinkItemProps, 'link' | 'menuOpen'> & {
  readonly className?: string;
};

// One element for all rows: an icon component would run once for each row that scrolls by.
const dots = (
  <svg aria-hidden="true" viewBox="0 0 24 24" fill="currentColor">
    <path d="M5 10.5a1.5 1.5 0 1 1 0 3a1.5 1.5 0 1 1 0-3zm7 0a1.5 1.5 0 1 1 0 3a1.5 1.5 0 1 1 0-3zm7 0a1.5 1.5 0 1 1 0 3a1.5 1.5 0 1 1 0-3z" />
  </svg>
);

/**
 * Opens the one menu of the list beside this link; the list hears the press. Tab does not stop here: on the link itself
 * the menu key and Shift+F10 open the same menu.
 */
export const LinkMenuButton = memo(function LinkMenuButton({
  link,
  menuOpen,
  className,
}: LinkMenuButtonProps) {
  return (
    <IconButton
      size="small"
      label={`Ações do link ${link.title}`}
      title="Ações"
      tabIndex={-1}
      aria-haspopup="menu"
      aria-expanded={menuOpen}
      data-link-menu
      className={joinClassNames(
        'z-1 group-data-selecting/links:hidden focus-visible:opacity-100 pointer-fine:opacity-0 group-hover/link:opacity-100 group-focus-within/link:opacity-100',
        menuOpen && 'pointer-fine:opacity-100',
        className,
      )}
    >
      {dots}
    </IconButton>
  );
});
