import type { SharingMode } from '@linkoteca/domain/sharing';

/** A category as the tree shows it. */
export interface TreeCategory {
  readonly id: string;
  readonly name: string;
  readonly linkCount: number;
  readonly sharing: SharingMode;
}

/** A folder as the tree shows it. */
export interface TreeFolder {
  readonly id: string;
  readonly name: string;
  readonly categories: readonly TreeCategory[];
}

/** What a row stands for; its actions need to know. */
export interface TreeNode {
  readonly kind: 'folder' | 'category';
  readonly id: string;
  readonly name: string;
  /** The folder's own id for a folder. */
  readonly folderId: string;
}

/** What a folder's row stands for. */
export function folderNode({ id, name }: TreeFolder): TreeNode {
  return { kind: 'folder', id, name, folderId: id };
}

/** What a category's row stands for. */
export function categoryNode(folderId: string, { id, name }: TreeCategory): TreeNode {
  return { kind: 'category', id, name, folderId };
}

/** The rows one can see, from top to bottom. */
export function listVisibleNodes(
  folders: readonly TreeFolder[],
  expandedId: string | null,
): readonly TreeNode[] {
  return folders.flatMap((folder): TreeNode[] => {
    const row = folderNode(folder);
    if (folder.id !== expandedId) return [row];
    return [row, ...folder.categories.map((category) => categoryNode(folder.id, category))];
  });
}

/** The folder that holds a category. */
export function findFolderOf(folders: readonly TreeFolder[], categoryId: string | null): string | null {
  if (categoryId === null) return null;
  return folders.find((folder) => folder.categories.some(({ id }) => id === categoryId))?.id ?? null;
}
