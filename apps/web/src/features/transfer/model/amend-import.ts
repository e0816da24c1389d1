import { FIELD_LIMITS } from '@linkoteca/domain/limits';
import { shortenText } from '@linkoteca/domain/shorten-text';
import {
  type ArrangedCategory,
  type ArrangedFolder,
  type ArrangedLink,
  comparableUrl,
  type ImportArrangement,
  type LeftOutLink,
} from './arrange-import.ts';
import { cleanName } from './name-import-place.ts';

/** A category of a file, by the names it would be made with. */
export interface FilePlace {
  readonly folder: string;
  readonly category: string;
}

/** A name that was typed, as it is made: cleaned, and one that is too long cut after a word. */
export function fitName(raw: string, kind: 'folder' | 'category'): string {
  return shortenText(cleanName(raw), FIELD_LIMITS[kind === 'folder' ? 'folderName' : 'categoryName']);
}

/** The same file with another name for a folder; that no other folder of it is called so is for the caller to see to. */
export function renameFolder(arrangement: ImportArrangement, from: string, to: string): ImportArrangement {
  return {
    ...arrangement,
    folders: arrangement.folders.map((folder) => (folder.name === from ? { ...folder, name: to } : folder)),
    // Where somebody chose the name, nothing was shortened.
    shortened: arrangement.shortened
      .filter(({ folder, to: name }) => folder !== null || name !== from)
      .map((each) => (each.folder === from ? { ...each, folder: to } : each)),
  };
}

/** The same file with another name for a category, which no other one of its folder has. */
export function renameCategory(
  arrangement: ImportArrangement,
  place: FilePlace,
  to: string,
): ImportArrangement {
  return {
    ...forgetShortened(arrangement, place),
    folders: changeCategory(arrangement.folders, place, (category) => [{ ...category, name: to }]),
  };
}

/**
 * The same file with what is in one category put into another. An address that both have is there once, as the other one has
 * it, and is told among what is left out; a folder that has nothing else goes.
 */
export function joinCategories(
  arrangement: ImportArrangement,
  from: FilePlace,
  into: FilePlace,
): ImportArrangement {
  const source = findCategory(arrangement.folders, from);
  const target = findCategory(arrangement.folders, into);
  if (source === undefined || target === undefined || source === target) return arrangement;
  const seen = new Set(target.links.map(({ url }) => comparableUrl(url)));
  const isRepeated = ({ url }: ArrangedLink) => seen.has(comparableUrl(url));
  const joined: ArrangedCategory = {
    ...target,
    description: target.description ?? source.description,
    links: [...target.links, ...source.links.filter((link) => !isRepeated(link))].toSorted(
      (a, b) => a.n - b.n,
    ),
  };
  const repeated = source.links
    .filter(isRepeated)
    .map(({ title, url }): LeftOutLink => ({ title, url, reason: 'repeated' }));
  const without = changeCategory(arrangement.folders, from, () => []).filter(
    ({ name, categories }) => name !== from.folder || categories.length > 0,
  );
  return {
    ...forgetShortened(arrangement, from),
    folders: changeCategory(without, into, () => [joined]),
    leftOut: [...arrangement.leftOut, ...repeated],
  };
}

/** Of a changed file the categories that are other than before, or elsewhere: what the library has of them is to be asked anew. */
export function listChanged(
  before: readonly ArrangedFolder[],
  after: readonly ArrangedFolder[],
): readonly ArrangedFolder[] {
  const known = new Map(before.map(({ name, categories }) => [name, new Set(categories)]));
  return after
    .map((folder) => ({
      ...folder,
      categories: folder.categories.filter((category) => known.get(folder.name)?.has(category) !== true),
    }))
    .filter(({ categories }) => categories.length > 0);
}

function findCategory(folders: readonly ArrangedFolder[], place: FilePlace): ArrangedCategory | undefined {
  return folders
    .find(({ name }) => name === place.folder)
    ?.categories.find(({ name }) => name === place.category);
}

function changeCategory(
  folders: readonly ArrangedFolder[],
  place: FilePlace,
  change: (category: ArrangedCategory) => readonly ArrangedCategory[],
): readonly ArrangedFolder[] {
  return folders.map((folder) =>
    folder.name === place.folder
      ? {
          ...folder,
          categories: folder.categories.flatMap((category) =>
            category.name === place.category ? change(category) : [category],
          ),
        }
      : folder,
  );
}

function forgetShortened(arrangement: ImportArrangement, { folder, category }: FilePlace): ImportArrangement {
  return {
    ...arrangement,
    shortened: arrangement.shortened.filter((each) => each.folder !== folder || each.to !== category),
  };
}
