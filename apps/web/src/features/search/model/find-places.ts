import { foldText } from '@linkoteca/domain/fold-text';
import type { CachedFolder } from './cached-library.ts';

/** A folder or a category whose name was found; a share is a category of somebody else. */
export interface Place {
  readonly id: string;
  readonly kind: 'folder' | 'category' | 'share';
  readonly name: string;
  /** Its folder's; its owner's where it is a share. */
  readonly folderName: string;
  readonly folderId: string;
  /** What opens: the category itself, the first of a folder. */
  readonly categoryId: string;
}

/** So few that the links below stay in sight. */
const MOST = 3;

/** Folders and categories with the folded term in their name; those that begin with it first. */
export function findPlaces(folders: readonly CachedFolder[], needle: string): readonly Place[] {
  if (needle === '') return [];
  const found: { readonly place: Place; readonly begins: boolean }[] = [];
  const look = (place: Place) => {
    const at = foldText(place.name).indexOf(needle);
    if (at !== -1) found.push({ place, begins: at === 0 });
  };
  for (const { id, name, categories } of folders) {
    const common = { folderId: id, folderName: name };
    const first = categories[0];
    // A folder without categories has nothing to open.
    if (first) look({ ...common, id, kind: 'folder', name, categoryId: first.id });
    for (const category of categories)
      look({ ...common, id: category.id, kind: 'category', name: category.name, categoryId: category.id });
  }
  return found
    .toSorted((one, other) => Number(other.begins) - Number(one.begins))
    .slice(0, MOST)
    .map(({ place }) => place);
}
