import { type FolderLook, hueOfFolder } from '@linkoteca/domain/folder-look';
import { createContext, use } from 'react';
import { joinClassNames } from '../lib/browser/join-class-names.ts';

/** How folders look of which the person has chosen something, by their ids. */
export const FolderLooksContext = createContext<ReadonlyMap<string, FolderLook>>(new Map());

/** A folder's colour of the palette, as CSS takes it. */
export function folderColor(folderId: string, color: string | null | undefined): string {
  return `var(--folder-${hueOfFolder(folderId, color) + 1})`;
}

interface FolderSpineProps {
  readonly folderId: string;
  readonly large?: boolean;
}

/** The colour of a folder, and its emoji, beside what is in it. */
export function FolderSpine({ folderId, large = false }: FolderSpineProps) {
  const look = use(FolderLooksContext).get(folderId);
  return (
    <span aria-hidden className="flex shrink-0 items-center gap-1">
      <span
        className={joinClassNames('rounded-full', large ? 'h-5 w-1.5' : 'h-4 w-1')}
        style={{ background: folderColor(folderId, look?.color) }}
      />
      {look?.emoji}
    </span>
  );
}
