import { type ReactNode, useMemo } from 'react';
import { useFolders } from '../../features/folders/api/list-folders.ts';
import { FolderLooksContext } from '../../shared/ui/folder-spine.tsx';

/** Tells everything below how the person's folders look. */
export function FolderLooks({ children }: { readonly children: ReactNode }) {
  const folders = useFolders().data;
  const looks = useMemo(
    () => new Map(folders?.flatMap(({ id, folder_looks: look }) => (look ? [[id, look]] : []))),
    [folders],
  );
  return <FolderLooksContext value={looks}>{children}</FolderLooksContext>;
}
