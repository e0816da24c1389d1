import { CATEGORY_MESSAGES } from '@linkoteca/domain/category-messages';
import { FOLDER_MESSAGES } from '@linkoteca/domain/folder-messages';
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
    /** What to say when something could not be read and is not cached either; null while all is well. */
    failed: folderList.isLoadingError
      ? FOLDER_MESSAGES.loadFailed
      : categoryList.isLoadingError
        ? CATEGORY_MESSAGES.loadFailed
        : null,
    retry: () => {
      if (folderList.isError) void folderList.refetch();
      if (categoryList.isError) void categoryList.refetch();
    },
    findCategory: (id: string): ListedCategory | undefined =>
      categories.find((category) => category.id === id),
  };
}
