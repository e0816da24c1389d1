import { useMemo } from 'react';
import { useCategories } from '../../features/categories/api/list-categories.ts';
import type { ListedCategory } from '../../features/categories/model/category-rows.ts';
import { useFolders } from '../../features/folders/api/list-folders.ts';

const NONE: readonly never[] = [];

/** A person's folders, each with its categories. */
export function useLibrary() {
  const folderList = useFolders();
  const categoryList = useCategories();
  const folders = folderList.data ?? NONE;
  const categories = categoryList.data ?? NONE;
  const shelves = useMemo(() => {
    const byFolder = Map.groupBy(categories, (category) => category.folder_id);
    return folders.map((folder) => ({ folder, categories: byFolder.get(folder.id) ?? NONE }));
  }, [folders, categories]);
  return {
    folders,
    categories,
    shelves,
    loading: folderList.isPending || categoryList.isPending,
    /** Nothing could be read, and nothing is cached either. */
    failed: folderList.isLoadingError || categoryList.isLoadingError,
    retry: () => {
      if (folderList.isError) void folderList.refetch();
      if (categoryList.isError) void categoryList.refetch();
    },
    findCategory: (id: string): ListedCategory | undefined =>
      categories.find((category) => category.id === id),
  };
}
