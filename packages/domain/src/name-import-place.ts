import { cleanLine } from './clean-text.ts';
import { countCharacters, truncateCharacters } from './count-characters.ts';
import { FIELD_LIMITS } from './limits.ts';

/** Names that an import gives where the file has none. */
export const IMPORT_NAMES = { loose: 'Importados', direct: 'Geral', nameless: 'Sem nome' } as const;

/** Postgres counts some characters among white space that JavaScript does not; a name may neither begin nor end with one. */
const EDGES = /^[\s\u0085\u180E\u200B]+|[\s\u0085\u180E\u200B]+$/gu;
const BETWEEN = ' / ';

interface ImportPlace {
  readonly folder: string;
  readonly category: string;
}

/**
 * Where what lies in nested folders of a file goes: the outermost is the folder, all below it join into the name of the
 * category ('Receitas / Doces').
 * @param looseName category of what lies in no folder at all.
 */
export function nameImportPlace(path: readonly string[], looseName: string): ImportPlace {
  const [outermost, ...inner] = path;
  if (outermost === undefined) return { folder: IMPORT_NAMES.loose, category: looseName };
  return {
    folder: cutName(outermost, FIELD_LIMITS.folderName),
    category: inner.length === 0 ? IMPORT_NAMES.direct : joinNames(inner, FIELD_LIMITS.categoryName),
  };
}

/** The first and the last name say most; what is between them goes first where it gets too long. */
function joinNames(names: readonly string[], max: number): string {
  const clean = names.map((name) => cutName(name, max));
  const whole = clean.join(BETWEEN);
  if (countCharacters(whole) <= max) return whole;
  const last = clean.at(-1) ?? '';
  const short = [clean[0], ...(clean.length > 2 ? ['…'] : []), last].join(BETWEEN);
  if (countCharacters(short) <= max) return short;
  return cutName(`… / ${last}`, max);
}

function cutName(raw: string, max: number): string {
  const name = cleanLine(raw.normalize('NFC')).replace(EDGES, '');
  return truncateCharacters(name, max).replace(EDGES, '') || IMPORT_NAMES.nameless;
}
