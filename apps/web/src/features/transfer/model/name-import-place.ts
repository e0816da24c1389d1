import { FIELD_LIMITS } from '@linkoteca/domain/limits';
import { shortenMiddle, shortenText } from '@linkoteca/domain/shorten-text';
import { cleanLine, countCharacters } from '@linkoteca/domain/text';

/** Names that an import gives where the file has none. */
export const IMPORT_NAMES = { loose: 'Importados', direct: 'Geral', nameless: 'Sem nome' } as const;

/** Postgres counts some characters among white space that JavaScript does not; a name may neither begin nor end with one. */
const EDGES = /^[\s\u0085\u180E\u200B]+|[\s\u0085\u180E\u200B]+$/gu;
const BETWEEN = ' / ';

interface ImportPlace {
  readonly folder: string;
  readonly category: string;
}

/** A name that was too long. */
export interface ShortenedName {
  /** The folder, by its new name, in which the category lies; null where the folder itself was renamed. */
  readonly folder: string | null;
  readonly from: string;
  readonly to: string;
}

interface ImportPlaces {
  readonly find: (path: readonly string[]) => ImportPlace;
  readonly shortened: readonly ShortenedName[];
}

/**
 * Where what lies in nested folders of a file goes: the outermost is the folder, all below it join into the name of the
 * category ('Receitas / Doces'). Equal names join; names that would only be equal once they are shortened stay apart.
 * @param paths all of the file, in its order.
 * @param looseName category of what lies in no folder at all.
 */
export function nameImportPlaces(paths: Iterable<readonly string[]>, looseName: string): ImportPlaces {
  const cleaned = new Map<string, string>();
  const clean = (raw: string) => {
    const known = cleaned.get(raw) ?? cleanName(raw);
    cleaned.set(raw, known);
    return known;
  };
  // Each long name with the names it is made of, under the whole name of its folder.
  const folders = new Map<string, Map<string, readonly string[]>>();
  for (const [outermost, ...inner] of paths) {
    if (outermost === undefined) continue;
    const names = inner.length === 0 ? [IMPORT_NAMES.direct] : inner.map(clean);
    const inside = folders.get(clean(outermost)) ?? new Map<string, readonly string[]>();
    folders.set(clean(outermost), inside.set(names.join(BETWEEN), names));
  }
  const folderNames = keepApart(
    new Map([...folders.keys()].map((name) => [name, [name]])),
    FIELD_LIMITS.folderName,
  );
  const categoryNames = new Map(
    [...folders].map(([name, inside]) => [name, keepApart(inside, FIELD_LIMITS.categoryName)]),
  );
  return {
    find: ([outermost, ...inner]) => {
      if (outermost === undefined) return { folder: IMPORT_NAMES.loose, category: looseName };
      const folder = clean(outermost);
      const category = inner.length === 0 ? IMPORT_NAMES.direct : inner.map(clean).join(BETWEEN);
      return {
        folder: folderNames.get(folder) ?? folder,
        category: categoryNames.get(folder)?.get(category) ?? category,
      };
    },
    shortened: [
      ...listShortened(null, folderNames),
      ...[...categoryNames].flatMap(([folder, names]) =>
        listShortened(folderNames.get(folder) ?? folder, names),
      ),
    ],
  };
}

function listShortened(folder: string | null, names: ReadonlyMap<string, string>): ShortenedName[] {
  return [...names].filter(([from, to]) => from !== to).map(([from, to]) => ({ folder, from, to }));
}

/**
 * A name of at most `max` for each whole name, no two alike. What fits keeps its name. The others take the first way of
 * shortening that tells them from the rest, and a number where none does.
 */
function keepApart(wholes: ReadonlyMap<string, readonly string[]>, max: number): ReadonlyMap<string, string> {
  const named = new Map<string, string>();
  for (const whole of wholes.keys()) if (countCharacters(whole) <= max) named.set(whole, whole);
  const taken = new Set(named.values());
  let open = [...wholes].filter(([whole]) => !named.has(whole));
  for (const shorten of [nameByEnds, nameByParent, nameByMiddle]) {
    const groups = Map.groupBy(open, ([, names]) => shorten(names, max));
    open = [];
    for (const [name, group] of groups) {
      const [whole] = group.length === 1 && !taken.has(name) ? (group[0] ?? []) : [];
      if (whole === undefined) open.push(...group);
      else named.set(whole, name);
    }
    for (const name of named.values()) taken.add(name);
  }
  const lastNumbers = new Map<string, number>();
  for (const [whole, names] of open) {
    const base = nameByMiddle(names, max);
    let number = lastNumbers.get(base) ?? 1;
    let name = base;
    while (taken.has(name)) {
      number += 1;
      const suffix = ` (${number})`;
      name = shortenText(base, max - suffix.length) + suffix;
    }
    lastNumbers.set(base, number);
    taken.add(name);
    named.set(whole, name);
  }
  return named;
}

/** The first and the last name say most; what is between them goes first. */
function nameByEnds(names: readonly string[], max: number): string {
  const [first = '', ...rest] = names;
  const last = rest.at(-1);
  if (last === undefined) return shortenText(first, max);
  return fitPair(first, rest.length > 1 ? ' / … / ' : BETWEEN, last, max, shortenText);
}

function nameByParent(names: readonly string[], max: number): string {
  return names.length > 2 ? nameTwoLast(names, max, shortenText) : nameByEnds(names, max);
}

function nameByMiddle(names: readonly string[], max: number): string {
  return names.length > 1 ? nameTwoLast(names, max, shortenMiddle) : shortenMiddle(names[0] ?? '', max);
}

function nameTwoLast(names: readonly string[], max: number, cut: typeof shortenText): string {
  const [parent = '', last = ''] = names.slice(-2);
  const before = names.length > 2 ? '… / ' : '';
  return before + fitPair(parent, BETWEEN, last, max - before.length, cut);
}

/** Two names in `max`: half the room is each one's, and what one leaves is the other's. */
function fitPair(one: string, between: string, other: string, max: number, cut: typeof shortenText): string {
  const room = max - between.length;
  const right = cut(other, Math.max(Math.floor(room / 2), room - countCharacters(one)));
  return cut(one, room - countCharacters(right)) + between + right;
}

/** A name without what the database refuses in one; what is left without any gets one. */
export function cleanName(raw: string): string {
  return cleanLine(raw.normalize('NFC')).replace(EDGES, '') || IMPORT_NAMES.nameless;
}
