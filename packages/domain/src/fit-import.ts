import type { ArrangedCategory, ArrangedFolder, ArrangedLink } from './arrange-import.ts';

/** What the person has already. */
export interface ExistingLibrary {
  readonly folders: readonly { readonly id: string; readonly name: string }[];
  readonly categories: readonly { readonly folder_id: string; readonly name: string }[];
}

/** How many more the plan takes; null is unlimited. */
export interface ImportRoom {
  readonly links: number | null;
  readonly categories: number | null;
}

/** What of a folder finds no room. */
export interface ImportExcess {
  readonly folder: string;
  readonly categories: number;
  readonly links: number;
}

export interface ImportPlan {
  /** What will be written: without what is there already, and without what finds no room. */
  readonly folders: readonly ArrangedFolder[];
  /** What will be made new. */
  readonly made: { readonly folders: number; readonly categories: number; readonly links: number };
  /** Addresses that lie in their category already. */
  readonly known: number;
  readonly excess: readonly ImportExcess[];
}

/**
 * What of an arrangement will be written, before anything is: in the order of the file, as far as the plan has room.
 * @param chosen the folders that the person wants.
 * @param known `n` of the links that are there already.
 */
export function fitImport(
  chosen: readonly ArrangedFolder[],
  existing: ExistingLibrary,
  known: ReadonlySet<number>,
  room: ImportRoom,
): ImportPlan {
  const there = indexLibrary(existing);
  const left = {
    links: room.links ?? Number.POSITIVE_INFINITY,
    categories: room.categories ?? Number.POSITIVE_INFINITY,
  };
  const made = { folders: 0, categories: 0, links: 0 };
  const excess: ImportExcess[] = [];
  const folders: ArrangedFolder[] = [];
  let knownCount = 0;

  for (const folder of chosen) {
    const without = { categories: 0, links: 0 };
    const categories: ArrangedCategory[] = [];
    const take = (category: ArrangedCategory, links: readonly ArrangedLink[], isNew: boolean) => {
      if (isNew) left.categories -= 1;
      if (isNew) made.categories += 1;
      left.links -= links.length;
      made.links += links.length;
      if (isNew || links.length > 0) categories.push({ ...category, links });
    };
    for (const category of folder.categories) {
      const fresh = category.links.filter(({ n }) => !known.has(n));
      knownCount += category.links.length - fresh.length;
      const isNew = there.get(folder.name)?.has(category.name) !== true;
      const fitting = fresh.slice(0, Math.max(0, left.links));
      // A category of which nothing fits would stand there empty.
      if (isNew && (left.categories <= 0 || (fresh.length > 0 && fitting.length === 0))) {
        without.categories += 1;
        without.links += fresh.length;
        continue;
      }
      without.links += fresh.length - fitting.length;
      take(category, fitting, isNew);
    }
    if (without.categories + without.links > 0) excess.push({ folder: folder.name, ...without });
    const isNew = !there.has(folder.name);
    if (isNew && folder.categories.length > 0 && categories.length === 0) continue;
    if (isNew) made.folders += 1;
    if (isNew || categories.length > 0) folders.push({ ...folder, categories });
  }
  return { folders, made, known: knownCount, excess };
}

function indexLibrary({ folders, categories }: ExistingLibrary): ReadonlyMap<string, ReadonlySet<string>> {
  const inside = Map.groupBy(categories, ({ folder_id }) => folder_id);
  return new Map(
    folders.map(({ id, name }) => [name, new Set((inside.get(id) ?? []).map((category) => category.name))]),
  );
}
