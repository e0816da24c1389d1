import { FOLDER_COLORS } from '@linkoteca/domain/folder-look';
import { COLOR_NAMES } from '@linkoteca/domain/messages/color-messages';
import { describeTagMenu, TAG_MESSAGES } from '@linkoteca/domain/messages/tag-messages';
import { Check, Merge, Pencil, Trash2 } from 'lucide-react';
import { AnchoredMenu } from '../../../shared/ui/menus/anchored-menu.tsx';
import { MenuItem } from '../../../shared/ui/menus/menu-item.tsx';
import { MenuSeparator } from '../../../shared/ui/menus/menu-separator.tsx';
import type { Tag } from '../model/tag-rows.ts';
import { TagDot } from './tag-chip.tsx';

interface TagMenuProps {
  readonly anchor: Element | null;
  /** The tag it is about; it stays while the menu fades out. */
  readonly tag: Tag;
  /** Null where there is no other. */
  readonly onMerge: (() => void) | null;
  readonly onRename: () => void;
  readonly onPaint: (color: string | null) => void;
  readonly onDelete: () => void;
  readonly onClose: () => void;
}

/** What can be done with a tag of the page. */
export function TagMenu({ anchor, tag, onMerge, onRename, onPaint, onDelete, onClose }: TagMenuProps) {
  return (
    <AnchoredMenu anchor={anchor} label={describeTagMenu(tag.name)} onClose={onClose}>
      <MenuItem icon={<Pencil aria-hidden />} onSelect={onRename}>
        {TAG_MESSAGES.rename}
      </MenuItem>
      {onMerge ? (
        <MenuItem icon={<Merge aria-hidden />} onSelect={onMerge}>
          {TAG_MESSAGES.merge}
        </MenuItem>
      ) : null}
      <MenuSeparator />
      {[null, ...FOLDER_COLORS].map((color) => (
        <MenuItem
          key={color}
          icon={<TagDot color={color} large />}
          aside={color === tag.color ? <Check aria-label="em uso" /> : null}
          onSelect={() => onPaint(color)}
        >
          {color === null ? TAG_MESSAGES.noColor : COLOR_NAMES[color]}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem tone="danger" icon={<Trash2 aria-hidden />} onSelect={onDelete}>
        {TAG_MESSAGES.remove}
      </MenuItem>
    </AnchoredMenu>
  );
}
