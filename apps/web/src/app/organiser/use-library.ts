import { CATEGORY_MESSAGES } from '@linkoteca/domain/messages/category-messages';
import { FOLDER_MESSAGES } from '@linkoteca/domain/messages/folder-messages';
import type { Notice } from '@linkoteca/domain/messages/plan-messages';
import { useMemo } from 'react';
import { useCategories } from '../../features/categories/api/list-categories.ts';
import type { ListedCategory } from '../../features/categories/model/category-rows.ts';
import { useFolders } from '../../features/folders/api/list-folders.ts';

const NONE: readonly never[] = [];

const FOLDERS_FAILED: Notice = {
  title: FOLDER_MESSAGES.listFailed,
  description: FOLDER_MESSAGES.loadFailed,
};
const CATEGORIES_FAILED: Notice = {
  title: CATEGORY_MESSAGES.loadFailed,
  description: 'Verifique sua conexão e tente de novo.',
};

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
      ? FOLDERS_FAILED
      : categoryList.isLoadingError
        ? CATEGORIES_FAILED
        : null,
    retry: () => {
      if (folderList.isError) void folderList.refetch();
      if (categoryList.isError) void categoryList.refetch();
    },
    findCategory: (id: string): ListedCategory | undefined =>
      categories.find((category) => category.id === id),
  };
}
