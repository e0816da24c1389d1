import type { Account } from './open-account.ts';

export type Library = { readonly folderId: string; readonly categoryId: string };

export type LibraryContent = {
  readonly folder?: string;
  readonly category?: string;
  readonly links?: readonly string[];
};

/** Gives an account a folder, a category and links with the given titles. */
export async function fillLibrary(account: Account, content: LibraryContent = {}): Promise<Library> {
  const { folder = 'Estudos', category = 'Física', links = [] } = content;
  const [newFolder] = await account.insert('folders', [{ name: folder, user_id: account.id }]);
  const folderId = newFolder?.['id'] ?? '';
  const [newCategory] = await account.insert('categories', [
    { name: category, folder_id: folderId, user_id: account.id },
  ]);
  const categoryId = newCategory?.['id'] ?? '';
  const rows = links.map((title, index) => ({
    title,
    url: `https://example.com/pagina-${index + 1}`,
    description: null,
    category_id: categoryId,
    user_id: account.id,
  }));
  if (rows.length > 0) await account.insert('links', rows);
  return { folderId, categoryId };
}
