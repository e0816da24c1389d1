/** The categories of one folder, to choose from. */
export interface CategoryGroup {
  readonly folderId: string;
  readonly folderName: string;
  readonly categories: readonly { readonly id: string; readonly name: string }[];
}

/** A category with the folder it is in. */
export interface CategoryPlace {
  readonly id: string;
  readonly name: string;
  readonly folderId: string;
  readonly folderName: string;
}

/** Where a category stands; undefined for one that is not there. */
export function findPlace(groups: readonly CategoryGroup[], categoryId: string): CategoryPlace | undefined {
  for (const { folderId, folderName, categories } of groups) {
    const category = categories.find(({ id }) => id === categoryId);
    if (category) return { id: category.id, name: category.name, folderId, folderName };
  }
  return undefined;
}
