import { Ellipsis } from 'lucide-react';
import { joinClassNames } from '../../../shared/lib/join-class-names.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import type { LinkItemProps } from './link-item-props.ts';

type LinkMenuButtonProps = Pick<LinkItemProps, 'link' | 'menuOpen'> & {
  readonly className?: string;
};

/**
 * Opens the one menu of the list beside this link; the list hears the press. Tab does not stop here: on the link itself
 * the menu key and Shift+F10 open the same menu.
 */
export function LinkMenuButton({ link, menuOpen, className }: LinkMenuButtonProps) {
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
        'z-1 focus-visible:opacity-100 pointer-fine:opacity-0 group-hover/link:opacity-100 group-focus-within/link:opacity-100',
        menuOpen && 'pointer-fine:opacity-100',
        className,
      )}
    >
      <Ellipsis aria-hidden />
    </IconButton>
  );
}
