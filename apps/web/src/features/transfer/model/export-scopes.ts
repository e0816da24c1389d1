import type { ExportScope } from '../api/make-export.ts';

/** A folder with its categories, as far as choosing needs. */
export interface ExportShelf {
  readonly folder: { readonly id: string; readonly name: string };
  readonly categories: readonly { readonly id: string; readonly name: string; readonly link_count: number }[];
}

interface ChosenScope {
  readonly scope: ExportScope;
  /** For the file's name; null for everything. */
  readonly name: string | null;
  /** Links in it, as far as is known. */
  readonly expected: number;
}

/** What a choice stands for: `folder:ID`, `category:ID`, or everything, also when what was chosen is gone meanwhile. */
export function findExportScope(choice: string, shelves: readonly ExportShelf[]): ChosenScope {
  const [kind, id] = choice.split(':');
  const count = (shelf: ExportShelf) =>
    shelf.categories.reduce((sum, { link_count: links }) => sum + links, 0);
  for (const shelf of shelves) {
    if (kind === 'folder' && shelf.folder.id === id)
      return { scope: { kind, id }, name: shelf.folder.name, expected: count(shelf) };
    const category = shelf.categories.find((one) => kind === 'category' && one.id === id);
    if (category)
      return {
        scope: { kind: 'category', id: category.id },
        name: category.name,
        expected: category.link_count,
      };
  }
  return {
    scope: { kind: 'all' },
    name: null,
    expected: shelves.reduce((sum, shelf) => sum + count(shelf), 0),
  };
}
