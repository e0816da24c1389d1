import type { ArrangedCategory, ArrangedFolder, ArrangedLink } from './arrange-import.ts';
import { IMPORT_LIMITS } from './import-limits.ts';

/** A folder, or a category of it, as `import_library` takes it. The ids are for what is made new. */
export interface ImportPlaceRow {
  readonly n: number;
  readonly folder: string;
  readonly folder_id: string;
  readonly category: string | null;
  readonly category_id: string | null;
  readonly description: string | null;
}

export interface ImportLinkRow {
  readonly n: number;
  readonly place: number;
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly description: string | null;
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

function measureLink({ url, title, description }: ArrangedLink): number {
  // Three bytes a unit is the most that UTF-8 takes.
  return LINK_BYTES + url.length + 3 * (title.length + (description?.length ?? 0));
}
