import { Ellipsis } from 'lucide-react';
import { joinClassNames } from '../../../shared/lib/join-class-names.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import type { LinkItemProps } from './link-item-props.ts';

type LinkMenuButtonProps = Pick<LinkItemProps, 'link' | 'menuOpen' | 'onMenu'> & {
  readonly className?: string;
};

/** Opens the one menu of the list beside this link. */
export function LinkMenuButton({ link, menuOpen, onMenu, className }: LinkMenuButtonProps) {
  return (
    <IconButton
      size="small"
      label={`Ações do link ${link.title}`}
      title="Ações"
      aria-haspopup="menu"
      aria-expanded={menuOpen}
      className={joinClassNames(
        'z-1 focus-visible:opacity-100 pointer-fine:opacity-0 group-hover/link:opacity-100 group-focus-within/link:opacity-100',
        menuOpen && 'pointer-fine:opacity-100',
        className,
      )}
      onClick={(event) => onMenu(event.currentTarget, link)}
    >
      <Ellipsis aria-hidden />
    </IconButton>
  );
}
