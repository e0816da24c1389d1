import { formatDate } from '@linkoteca/domain/dates';
import { FIELD_LIMITS, IMPORT_LIMITS } from '@linkoteca/domain/limits';
import { shortenText } from '@linkoteca/domain/shorten-text';
import { cleanLine, cleanText, countCharacters } from '@linkoteca/domain/text';
import { normalizeUrl, readHost } from '@linkoteca/domain/urls';
import type { BookmarkFile, FileLink } from './bookmark-files.ts';
import { nameImportPlaces, type ShortenedName } from './name-import-place.ts';

/** A link that can be stored as it is. */
export interface ArrangedLink {
  /** Its place among the links of the file. */
  readonly n: number;
  readonly url: string;
  readonly title: string;
  readonly description: string | null;
  readonly tags: readonly string[];
  /** ISO 8601; null when the file does not say. */
  readonly createdAt: string | null;
}

export interface ArrangedCategory {
  readonly name: string;
  readonly description: string | null;
  readonly links: readonly ArrangedLink[];
}

export interface ArrangedFolder {
  readonly name: string;
  readonly categories: readonly ArrangedCategory[];
}

/** Why a line of the file is left out. */
export type LeftOutReason = 'no_address' | 'not_web' | 'too_long' | 'repeated' | 'too_many';

export interface LeftOutLink {
  readonly title: string;
  readonly url: string;
  readonly reason: LeftOutReason;
}

export interface ImportArrangement {
  readonly folders: readonly ArrangedFolder[];
  readonly leftOut: readonly LeftOutLink[];
  readonly shortened: readonly ShortenedName[];
}

interface OpenCategory {
  readonly name: string;
  description: string | null;
  readonly links: ArrangedLink[];
  readonly seen: Set<string>;
  /** The file itself has nothing in it. */
  isEmptyOnPurpose: boolean;
}

interface OpenFolder {
  readonly categories: Map<string, OpenCategory>;
  isEmptyOnPurpose: boolean;
}

/** Nobody kept bookmarks before there were any: what is dated so has no date. 1 January 1990. */
const FIRST_DATE = 631_152_000_000;

/**
 * Brings a bookmark file into folders, categories and links that the schema takes: names, titles and descriptions cut to
 * their limits between words, equal names joined, addresses judged as the link form judges them.
 * @param fileDate names the category of links that lie in no folder.
 */
export function arrangeImport(file: BookmarkFile, fileDate: Date, now: Date): ImportArrangement {
  const folders = new Map<string, OpenFolder>();
  const leftOut: LeftOutLink[] = [];
  const looseName = formatDate(fileDate) || formatDate(now);
  const places = nameImportPlaces(
    [...file.folders, ...file.links].map(({ path }) => path),
    looseName,
  );
  const openFolder = (name: string) => {
    const folder: OpenFolder = folders.get(name) ?? { categories: new Map(), isEmptyOnPurpose: false };
    folders.set(name, folder);
    return folder;
  };
  const openCategory = (path: readonly string[]) => {
    const place = places.find(path);
    const { categories } = openFolder(place.folder);
    const category: OpenCategory = categories.get(place.category) ?? {
      name: place.category,
      description: null,
      links: [],
      seen: new Set(),
      isEmptyOnPurpose: false,
    };
    categories.set(place.category, category);
    return category;
  };

  // Opened in the order of the file. What turns out to hold nothing of its own is part of names alone, unless it was empty there.
  const filled = listFilledPaths(file);
  for (const { path, description } of file.folders) {
    if (path.length === 0) continue;
    const isEmptyOnPurpose = !filled.has(keyOf(path));
    if (path.length === 1) {
      openFolder(places.find(path).folder).isEmptyOnPurpose ||= isEmptyOnPurpose;
      continue;
    }
    const category = openCategory(path);
    category.isEmptyOnPurpose ||= isEmptyOnPurpose;
    category.description ??= cutText(description, FIELD_LIMITS.categoryDescription);
  }
  let taken = 0;
  for (const link of file.links) {
    const judged = taken < IMPORT_LIMITS.links ? checkAddress(link.url) : { reason: 'too_many' as const };
    const title = cutLine(link.title, FIELD_LIMITS.linkTitle);
    const leave = (reason: LeftOutReason) => leftOut.push({ title, url: link.url.slice(0, 200), reason });
    if ('reason' in judged) {
      leave(judged.reason);
      continue;
    }
    const category = openCategory(link.path);
    const key = comparableUrl(judged.url);
    if (category.seen.has(key)) {
      leave('repeated');
      continue;
    }
    category.seen.add(key);
    category.links.push({
      n: taken,
      url: judged.url,
      title: title || nameByAddress(judged.url),
      ...readRest(link, now),
    });
    taken += 1;
  }
  const arranged = closeFolders(folders);
  return { folders: arranged, leftOut, shortened: keepMade(places.shortened, arranged) };
}

/** What holds nothing of its own is not made, whatever its name would be. */
function keepMade(
  shortened: readonly ShortenedName[],
  folders: readonly ArrangedFolder[],
): readonly ShortenedName[] {
  const made = new Set(
    folders.flatMap(({ name, categories }) => [
      keyOf([name]),
      ...categories.map((category) => keyOf([name, category.name])),
    ]),
  );
  return shortened.filter(({ folder, to }) => made.has(keyOf(folder === null ? [to] : [folder, to])));
}

function closeFolders(folders: ReadonlyMap<string, OpenFolder>): readonly ArrangedFolder[] {
  return [...folders].flatMap(([name, folder]) => {
    const categories = [...folder.categories.values()]
      .filter(({ links, isEmptyOnPurpose }) => links.length > 0 || isEmptyOnPurpose)
      .map(({ name: called, description, links }) => ({ name: called, description, links }));
    return categories.length > 0 || folder.isEmptyOnPurpose ? [{ name, categories }] : [];
  });
}

/** Paths of folders in which the file has anything. */
function listFilledPaths({ folders, links }: BookmarkFile): ReadonlySet<string> {
  const filled = new Set<string>();
  const fill = (path: readonly string[]) => {
    for (let depth = path.length; depth > 0 && !filled.has(keyOf(path.slice(0, depth))); depth -= 1)
      filled.add(keyOf(path.slice(0, depth)));
  };
  for (const { path } of links) fill(path);
  for (const { path } of folders) fill(path.slice(0, -1));
  return filled;
}

function keyOf(path: readonly string[]): string {
  return path.join('\u0000');
}

function checkAddress(raw: string): { readonly url: string } | { readonly reason: LeftOutReason } {
  if (raw.trim() === '') return { reason: 'no_address' };
  const url = normalizeUrl(raw);
  if (url === null) return { reason: 'not_web' };
  return countCharacters(url) > FIELD_LIMITS.linkUrl ? { reason: 'too_long' } : { url };
}

function readRest({ description, tags, addedAt }: FileLink, now: Date) {
  const isDate = addedAt !== null && addedAt >= FIRST_DATE && addedAt <= now.getTime();
  return {
    description: cutText(description, FIELD_LIMITS.linkDescription),
    tags,
    createdAt: isDate ? new Date(addedAt).toISOString() : null,
  };
}

function nameByAddress(url: string): string {
  return cutLine(readHost(url), FIELD_LIMITS.linkTitle) || 'Sem título';
}

function cutLine(raw: string, max: number): string {
  return shortenText(cleanLine(raw), max).trim();
}

function cutText(raw: string, max: number): string | null {
  return shortenText(cleanText(raw), max).trim() || null;
}

/**
 * Two addresses that compare equal are one for `import_library` and `find_links_by_url`: scheme and host without case, a bare
 * slash after the host is nothing. Twin of `private.comparable_url`.
 */
export function comparableUrl(url: string): string {
  const address = url.trim();
  const place = /^[a-z]+:\/\/[^/?#]*/i.exec(address)?.[0] ?? '';
  const path = address.slice(place.length);
  // What stands before an at sign may be a password, where case counts.
  const shown = place.includes('@') ? place : place.replace(/[A-Z]+/g, (part) => part.toLowerCase());
  return path === '/' ? shown : shown + path;
}
