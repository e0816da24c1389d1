import { Link } from '@tanstack/react-router';
import { Tag } from 'lucide-react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';

interface TagsEntryProps {
  readonly collapsed: boolean;
  readonly onNavigate: () => void;
}

/** The way to the page of tags, in the sidebar. */
export function TagsEntry({ collapsed, onNavigate }: TagsEntryProps) {
  return (
    <Link
      to="/tags"
      title={collapsed ? 'Tags' : undefined}
      aria-label="Tags"
      onClick={onNavigate}
      activeProps={{ className: 'bg-accent-soft text-accent-text' }}
      inactiveProps={{ className: 'text-ink-soft hover:bg-hover hover:text-ink' }}
      className={joinClassNames(
        'flex h-8 shrink-0 items-center rounded text-base transition-colors focus-visible:-outline-offset-2 pointer-coarse:h-11',
        collapsed ? 'w-8 justify-center pointer-coarse:w-11' : 'gap-2 pr-2 pl-8',
      )}
    >
      <Tag aria-hidden className="size-4 shrink-0" />
      {collapsed ? null : <span className="flex-1 font-medium">Tags</span>}
    </Link>
  );
}
