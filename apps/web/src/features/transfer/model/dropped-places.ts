import type { ArrangedFolder } from './arrange-import.ts';

/** Names a folder of a file, or a category in it. */
export function dropKey(folder: string, category?: string): string {
  return category === undefined ? folder : `${folder}\u0000${category}`;
}

/** What is left of a file's folders without those that nobody wants. */
export function keepChosen(
  folders: readonly ArrangedFolder[],
  dropped: ReadonlySet<string>,
): readonly ArrangedFolder[] {
  return folders
    .filter(({ name }) => !dropped.has(dropKey(name)))
    .map((folder) => ({
      ...folder,
      categories: folder.categories.filter(({ name }) => !dropped.has(dropKey(folder.name, name))),
    }));
}

/** What nobody wants of a folder stays unwanted under the folder's new name. */
export function followRename(dropped: ReadonlySet<string>, from: string, to: string): ReadonlySet<string> {
  const inside = dropKey(from, '');
  return new Set(
    [...dropped].map((key) => (key.startsWith(inside) ? dropKey(to, key.slice(inside.length)) : key)),
  );
}
