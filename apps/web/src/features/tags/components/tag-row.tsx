import { describeTagMenu, describeTagSearch, describeTagUse } from '@linkoteca/domain/messages/tag-messages';
import { tagQuestion } from '@linkoteca/domain/tags';
import { Link } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import type { Tag } from '../model/tag-rows.ts';
import { TagDot } from './tag-chip.tsx';

interface TagRowProps {
  readonly tag: Tag;
  /** Takes the name's place while it is being changed; null otherwise. */
  readonly nameField: ReactNode;
  readonly menuOpen: boolean;
  readonly onMenu: (anchor: Element) => void;
  readonly onRename: () => void;
  readonly onDelete: () => void;
}

/** A tag of the page: its name leads to its links, F2 renames it, Delete deletes it. */
export function TagRow({ tag, nameField, menuOpen, onMenu, onRename, onDelete }: TagRowProps) {
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const { key, shiftKey, currentTarget } = event;
    if (key === 'F2') onRename();
    else if (key === 'Delete') onDelete();
    else if (key === 'ContextMenu' || (shiftKey && key === 'F10')) onMenu(currentTarget);
    else return;
    event.preventDefault();
  };
  return (
    <li
      data-tag-row={tag.id}
      className="flex h-11 items-center gap-3 border-b border-line px-3 [contain-intrinsic-height:2rem] [content-visibility:auto] last:border-b-0 hover:bg-hover"
    >
      <TagDot color={tag.color} large />
      {nameField ?? (
        <Link
          to="/search"
          search={{ q: tagQuestion(tag.name), page: 1 }}
          title={describeTagSearch(tag.name)}
          className="flex h-full min-w-0 flex-1 items-center rounded-sm text-base font-medium text-ink focus-visible:-outline-offset-2"
          onKeyDown={press}
        >
          <span className="truncate">{tag.name}</span>
        </Link>
      )}
      <span className="shrink-0 text-sm text-ink-faint tabular-nums">{describeTagUse(tag.link_count)}</span>
      <IconButton
        label={describeTagMenu(tag.name)}
        title="Ações"
        aria-haspopup="menu"
        aria-expanded={menuOpen}
        onClick={(event) => onMenu(event.currentTarget)}
      >
        <Ellipsis aria-hidden />
      </IconButton>
    </li>
  );
}
