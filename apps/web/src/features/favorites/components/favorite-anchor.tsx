import { Users } from 'lucide-react';
import type { MouseEvent } from 'react';
import { FolderSpine } from '../../../shared/ui/folder-spine.tsx';
import { LinkFace } from '../../../shared/ui/link-face.tsx';
import type { FavoriteEntry } from '../model/favorite-entries.ts';

interface FavoriteAnchorProps {
  readonly entry: FavoriteEntry;
  /** It is what is on the screen. */
  readonly active?: boolean;
  readonly className: string;
  readonly onOpenCategory: (categoryId: string) => void;
}

/** The way to a favourite. A real address either way, so that a middle click opens it in another tab. */
export function FavoriteAnchor({ entry, active = false, className, onOpenCategory }: FavoriteAnchorProps) {
  const openCategory = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onOpenCategory(entry.id);
  };
  const anchor =
    entry.kind === 'link'
      ? { href: entry.link.url, target: '_blank', rel: 'noopener noreferrer' }
      : { href: `/category/${entry.id}`, 'data-category': entry.id, onClick: openCategory };
  return (
    <a {...anchor} aria-current={active ? 'page' : undefined} title={entry.name} className={className}>
      <span className="grid w-6 shrink-0 place-items-center">
        <EntryMark entry={entry} />
      </span>
      <span className="truncate">{entry.name}</span>
    </a>
  );
}

/** What it is known by elsewhere: a link's face, the colour of a category's folder. */
function EntryMark({ entry }: { readonly entry: FavoriteEntry }) {
  if (entry.kind === 'link') return <LinkFace url={entry.link.url} />;
  if (entry.folderId === null) return <Users aria-hidden className="size-4 text-ink-faint" />;
  return <FolderSpine folderId={entry.folderId} />;
}
