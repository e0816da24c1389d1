import { formatCount } from '@linkoteca/domain/formats';
import type { MouseEvent } from 'react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import { FolderSpine } from '../../../shared/ui/folder-spine.tsx';
import { LinkFace } from '../../../shared/ui/link-face.tsx';

/** A category of one's own, as the dashboard shows it. */
export interface RecentCategory {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly linkCount: number;
  readonly folderId: string;
  readonly folderName: string;
  /** Addresses of its newest links; undefined while they are on their way. */
  readonly faces: readonly string[] | undefined;
}

interface CategoryCardProps {
  readonly category: RecentCategory;
  /** The person was here last. */
  readonly isLast: boolean;
  readonly onOpen: (categoryId: string) => void;
}

/** Said of the category that was open last. */
export const CONTINUE = 'Continue de onde parou';

/** A category: its folder, what it is about, and the faces of what was kept in it last. */
export function CategoryCard({ category, isLast, onOpen }: CategoryCardProps) {
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onOpen(category.id);
  };
  return (
    <a
      href={`/category/${category.id}`}
      data-category={category.id}
      onClick={open}
      className={joinClassNames(
        'flex h-full flex-col rounded-lg border bg-surface p-4 transition-colors',
        isLast ? 'border-accent' : 'border-line hover:border-edge-soft',
      )}
    >
      {isLast ? <span className="mb-1.5 text-xs font-medium text-accent-text">{CONTINUE}</span> : null}
      <span className="flex items-center gap-2.5">
        <FolderSpine folderId={category.folderId} />
        <span className="truncate font-medium" title={category.name}>
          {category.name}
        </span>
      </span>
      <span className="mt-1.5 line-clamp-2 text-sm break-words text-ink-soft">
        {category.description ?? 'Sem descrição'}
      </span>
      <span className="mt-auto block pt-3">
        {/* As high before the faces are there: nothing moves when they come. */}
        {category.linkCount > 0 ? (
          <span className="flex h-6 gap-1.5">
            {category.faces?.map((url, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: one address may be kept twice.
              <LinkFace key={`${place} ${url}`} url={url} />
            ))}
          </span>
        ) : null}
        <span className="mt-2.5 flex gap-3 text-xs text-ink-faint tabular-nums">
          <span className="min-w-0 flex-1 truncate">{category.folderName}</span>
          {formatCount(category.linkCount, 'link', 'links')}
        </span>
      </span>
    </a>
  );
}
