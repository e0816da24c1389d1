import { foldTerm } from './fold-text.ts';
import { type CivilDay, readPeriod, startsPeriod } from './search-period.ts';

/** What an operator narrows a search by. */
export type OperatorKey =
  | 'site'
  | 'folder'
  | 'category'
  | 'kind'
  | 'before'
  | 'after'
  | 'favorite'
  | 'broken'
  | 'tag'
  | 'untagged'
  | 'owner';

export type LinkKind = 'video' | 'pdf' | 'image';

/** Names, as compared: folded. Days are the viewer's. Null where nothing is asked. */
export interface SearchFilters {
  /** A host, a part of one or an address of it, in lower case. */
  readonly site: string | null;
  readonly folder: string | null;
  readonly category: string | null;
  readonly kind: LinkKind | null;
  /** Links saved before this day begins. */
  readonly before: CivilDay | null;
  /** Links saved from the beginning of this day on. */
  readonly after: CivilDay | null;
  readonly favorite: boolean;
  /** Links that do not answer any more. */
  readonly broken: boolean;
  /** Who shares it: their name, or their whole e-mail address. Asks for what others share alone. */
  readonly owner: string | null;
  /** A link has one of each name. */
  readonly tags: readonly string[];
  /** Links without any tag. */
  readonly untagged: boolean;
}

/** A part of what was typed that is no word to look for. */
export interface SearchOperator {
  readonly key: OperatorKey;
  /** As it was typed: 'pasta:"Minhas receitas"'. */
  readonly text: string;
  /** What follows the colon, without quotation marks. */
  readonly value: string;
  /** Where it stands in what was typed. */
  readonly start: number;
  /** What is taken for no more than the beginning of one asks for nothing yet, and neither does a wrong one. */
  readonly state: 'accepted' | 'incomplete' | 'wrong';
}

export interface SearchQuestion {
  /** What is left to look for in texts; exactly what was typed where there is no operator. */
  readonly words: string;
  readonly operators: readonly SearchOperator[];
  readonly filters: SearchFilters;
  /** Whether any operator narrows the search. */
  readonly isFiltered: boolean;
}

const NO_FILTERS: SearchFilters = {
  site: null,
  folder: null,
  category: null,
  kind: null,
  before: null,
  after: null,
  favorite: false,
  broken: false,
  owner: null,
  tags: [],
  untagged: false,
};

/** How each is written, folded. */
const KEYS: ReadonlyMap<string, OperatorKey> = new Map([
  ['site', 'site'],
  ['pasta', 'folder'],
  ['em', 'category'],
  ['tipo', 'kind'],
  ['antes', 'before'],
  ['depois', 'after'],
  ['e', 'favorite'],
  ['de', 'owner'],
  ['tag', 'tag'],
  ['sem', 'untagged'],
]);

/** Values of 'tipo:', folded. */
export const KINDS: ReadonlyMap<string, LinkKind> = new Map([
  ['video', 'video'],
  ['pdf', 'pdf'],
  ['imagem', 'image'],
]);

const FAVORITE = /^favorit[oa]s?$/;
const BROKEN = /^quebrad[oa]s?$/;

/** What 'sem:' is written before; 'sem:glúten' is a word of somebody's title. */
const UNTAGGED = /^(t|ta|tags?)?$/;

/** A quotation with or without a hyphen, a word up to a quotation that belongs to it, a word. */
const TOKEN = /-?"[^"]*"?|[^\s":]+:"[^"]*"?|[^\s"]+/g;

/**
 * What a search asks for: words, and operators such as 'pasta:receitas' or 'antes:2024' between them. A word with a colon that is none
 * of them, a quotation and what has a hyphen before it stay words. Every text can be read.
 */
export function readQuestion(typed: string): SearchQuestion {
  const operators: SearchOperator[] = [];
  let filters = NO_FILTERS;
  // As many units as before, so that places stay the same.
  for (const { 0: text, index } of typed.replace(/[“”]/g, '"').matchAll(TOKEN)) {
    const found = readOperator(text);
    if (found === null) continue;
    const { key, value, state, taken } = found;
    operators.push({
      key,
      value,
      text: typed.slice(index, index + text.length),
      start: index,
      state: taken ? 'accepted' : state,
    });
    if (taken) filters = join(filters, taken);
  }
  const words = operators.length === 0 ? typed : without(typed, operators);
  return {
    words,
    operators,
    filters,
    isFiltered: operators.some(({ state }) => state === 'accepted'),
  };
}

/** What was typed, without the given operators and with one blank where each of them stood. */
export function without(typed: string, operators: readonly SearchOperator[]): string {
  let rest = '';
  let at = 0;
  for (const { start, text } of operators) {
    rest += typed.slice(at, start);
    at = start + text.length;
  }
  return (rest + typed.slice(at)).replace(/\s+/g, ' ').trim();
}

interface FoundOperator {
  readonly key: OperatorKey;
  readonly value: string;
  readonly state: 'incomplete' | 'wrong';
  /** What it narrows the search by; null where it is not whole or not right. */
  readonly taken: Partial<SearchFilters> | null;
}

function readOperator(token: string): FoundOperator | null {
  const at = token.indexOf(':');
  if (at < 1 || token.startsWith('-')) return null;
  const name = token.slice(0, at).toLowerCase();
  const named = KEYS.get(foldTerm(name));
  if (named === undefined) return null;
  const value = token
    .slice(at + 1)
    .replaceAll('"', '')
    .trim();
  const folded = foldTerm(value);
  const key = named === 'favorite' && BROKEN.test(folded) ? 'broken' : named;
  // 'E:\pasta' is what somebody has copied; who writes the accent means the operator.
  if (key === 'favorite' && name === 'e' && !FAVORITE.test(folded)) return null;
  if (key === 'untagged' && !UNTAGGED.test(folded)) return null;
  if (folded === '') return { key, value, state: 'incomplete', taken: null };
  return { key, value, ...readValue(key, value, folded) };
}

function readValue(key: OperatorKey, value: string, folded: string): Pick<FoundOperator, 'state' | 'taken'> {
  const take = (taken: Partial<SearchFilters> | null, isBeginning = false) => ({
    taken,
    state: isBeginning ? ('incomplete' as const) : ('wrong' as const),
  });
  switch (key) {
    case 'site':
      return take({ site: value.toLowerCase() });
    case 'folder':
      return take({ folder: folded });
    case 'category':
      return take({ category: folded });
    case 'owner':
      return take({ owner: folded });
    case 'kind': {
      const kind = KINDS.get(folded);
      return take(
        kind === undefined ? null : { kind },
        [...KINDS.keys()].some((name) => name.startsWith(folded)),
      );
    }
    case 'before': {
      const period = readPeriod(value);
      return take(period && { before: period.first }, startsPeriod(value));
    }
    case 'after': {
      const period = readPeriod(value);
      return take(period && { after: period.next }, startsPeriod(value));
    }
    case 'tag': {
      const name = folded.replace(/^[# ]+/, '');
      return take(name === '' ? null : { tags: [name] }, name === '');
    }
    case 'untagged':
      return take(/^tags?$/.test(folded) ? { untagged: true } : null, true);
    case 'broken':
      return take({ broken: true });
    default:
      return take(
        FAVORITE.test(folded) ? { favorite: true } : null,
        ['favorito', 'quebrado'].some((state) => state.startsWith(folded)),
      );
  }
}

/** Both days and every tag hold where more are given; of the others the last one counts. */
function join(filters: SearchFilters, taken: Partial<SearchFilters>): SearchFilters {
  const { before, after, tags } = taken;
  return {
    ...filters,
    ...taken,
    ...(tags ? { tags: [...filters.tags, ...tags] } : {}),
    ...(before && filters.before && filters.before < before ? { before: filters.before } : {}),
    ...(after && filters.after && filters.after > after ? { after: filters.after } : {}),
  };
}
