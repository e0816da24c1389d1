import { useQueryClient } from '@tanstack/react-query';
import { beginCountLibrary } from '../../features/account/model/count-library.ts';
import {
  beginDropFolderContent,
  categoryRows,
  type ListedCategory,
} from '../../features/categories/model/category-rows.ts';
import { beginCountLinks } from '../../features/categories/model/count-links.ts';
import { folderRows, type ListedFolder } from '../../features/folders/model/folder-rows.ts';
import { useUserId } from '../../shared/lib/session/session-context.tsx';
import { joinOptimisticWrites, type OptimisticWrite } from '../../shared/lib/writes/optimistic-write.ts';

/** What a write in one feature changes in the others, shown ahead of the server: the features do not know each other. */
export function useLibraryCounting() {
  const queryClient = useQueryClient();
  const userId = useUserId();
  const count = (change: Parameters<typeof beginCountLibrary>[2]) =>
    beginCountLibrary(queryClient, userId, change);
  const rows = categoryRows(queryClient, userId);

  return {
    newFolder: () => count({ folders: 1 }),
    newCategory: () => count({ categories: 1 }),
    links: async (change: ReadonlyMap<string, number>): Promise<OptimisticWrite> => {
      // What is written into somebody's shared folder is counted where it belongs.
      const own = new Map([...change].filter(([categoryId]) => rows.find(categoryId)));
      if (own.size === 0) return joinOptimisticWrites();
      return joinOptimisticWrites(
        await beginCountLinks(queryClient, userId, own),
        await count({ links: sum([...own.values()]) }),
      );
    },
    droppedCategory: (categoryId: string) =>
      count({ categories: -1, links: -(rows.find(categoryId)?.link_count ?? 0) }),
    droppedFolder: async (folderId: string): Promise<OptimisticWrite> => {
      const inside = rows.filter((row) => row.folder_id === folderId);
      const counted = await count({
        folders: -1,
        categories: -inside.length,
        links: -sum(inside.map((row) => row.link_count)),
      });
      return joinOptimisticWrites(counted, await beginDropFolderContent(queryClient, userId, folderId));
    },
    restoredCategory: async (category: ListedCategory): Promise<OptimisticWrite> =>
      joinOptimisticWrites(
        await count({ categories: 1, links: category.link_count }),
        await rows.beginAdd(category),
      ),
    restoredFolder: async (
      folder: ListedFolder,
      inside: readonly ListedCategory[],
    ): Promise<OptimisticWrite> =>
      joinOptimisticWrites(
        await count({
          folders: 1,
          categories: inside.length,
          links: sum(inside.map((row) => row.link_count)),
        }),
        await folderRows(queryClient, userId).beginAdd(folder),
        ...(await Promise.all(inside.map((category) => rows.beginAdd(category)))),
      ),
  };
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
