import { IMPORT_LIMITS } from '@linkoteca/domain/limits';
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

/** A folder, or a category of it, as `import_library` takes it. The ids are for what is made new. */
interface ImportPlaceRow {
  readonly n: number;
  readonly folder: string;
  readonly folder_id: string;
  readonly category: string | null;
  readonly category_id: string | null;
  readonly description: string | null;
}

interface ImportLinkRow {
  readonly n: number;
  readonly place: number;
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly description: string | null;
  readonly tags: readonly string[];
  readonly created_at: string | null;
}

/** The content of one call of `import_library`. */
export interface ImportPart {
  readonly places: readonly ImportPlaceRow[];
  readonly links: readonly ImportLinkRow[];
  /** In the first part alone: all that will be made. */
  readonly total?: { readonly links: number; readonly categories: number };
}

interface PlacedLink {
  readonly place: ImportPlaceRow;
  readonly link: ArrangedLink;
}

/** What a place takes in a request beside its names. */
const PLACE_BYTES = 160;
const LINK_BYTES = 200;

/**
 * Cuts what will be written into calls, the oldest link first: search sums up text in the order of dates, and a library that
 * grows that way costs the least. Folders and categories without links come in the first calls.
 * @param createId makes the ids of what is new: the screens know their own rows by them.
 */
export function splitImport(
  folders: readonly ArrangedFolder[],
  createId: () => string,
): readonly ImportPart[] {
  const shelves = placeFolders(folders, createId);
  const empty = shelves.filter(({ links }) => links.length === 0);
  const placed = shelves.flatMap(({ place, links }) => links.map((link) => ({ place, link })));
  const parts: { places: Map<number, ImportPlaceRow>; links: ImportLinkRow[]; bytes: number }[] = [];
  const open = (bytes: number) => {
    const last = parts.at(-1);
    const isFull =
      last === undefined ||
      last.bytes + bytes > IMPORT_LIMITS.bytesPerPart ||
      Math.max(last.links.length, last.places.size) >= IMPORT_LIMITS.linksPerPart;
    const part = isFull ? { places: new Map<number, ImportPlaceRow>(), links: [], bytes: 0 } : last;
    if (part !== last) parts.push(part);
    part.bytes += bytes;
    return part;
  };
  for (const { place } of empty) open(measurePlace(place)).places.set(place.n, place);
  for (const { place, link } of placed.toSorted(oldestFirst)) {
    const { createdAt, ...rest } = link;
    const part = open(measurePlace(place) + measureLink(link));
    part.places.set(place.n, place);
    part.links.push({ ...rest, id: createId(), place: place.n, created_at: createdAt });
  }
  return parts.map(({ places, links }) => ({ places: [...places.values()], links }));
}

function placeFolders(folders: readonly ArrangedFolder[], createId: () => string) {
  let n = -1;
  const shelve = (folder: string, folder_id: string, category: ArrangedCategory | null) => {
    n += 1;
    const place: ImportPlaceRow = {
      n,
      folder,
      folder_id,
      category: category?.name ?? null,
      category_id: category === null ? null : createId(),
      description: category?.description ?? null,
    };
    return { place, links: category?.links ?? [] };
  };
  return folders.flatMap(({ name, categories }) => {
    const id = createId();
    return categories.length === 0
      ? [shelve(name, id, null)]
      : categories.map((category) => shelve(name, id, category));
  });
}

/** What has no date is dated by the import itself, the first of the file newest. */
function oldestFirst(a: PlacedLink, b: PlacedLink): number {
  const [one, other] = [a.link.createdAt, b.link.createdAt];
  if (one === other) return b.link.n - a.link.n;
  if (one === null) return 1;
  if (other === null) return -1;
  return one < other ? -1 : 1;
}

function measurePlace({ folder, category, description }: ImportPlaceRow): number {
  return PLACE_BYTES + 3 * (folder.length + (category?.length ?? 0) + (description?.length ?? 0));
}

function measureLink({ url, title, description, tags }: ArrangedLink): number {
  // Three bytes a unit is the most that UTF-8 takes.
  return LINK_BYTES + url.length + 3 * (title.length + (description?.length ?? 0) + tags.join('","').length);
}
