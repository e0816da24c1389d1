import { foldTerm, foldText } from '@linkoteca/domain/fold-text';
import { OPERATORS } from '@linkoteca/domain/messages/search-messages';
import { type OperatorKey, readQuestion } from '@linkoteca/domain/search-question';
import type { CachedLibrary } from './cached-library.ts';

/** How what is being typed could go on. */
export interface Completion {
  /** The operator as it will stand there. */
  readonly text: string;
  /** What it is for, where that is not plain. */
  readonly hint: string | null;
  /** All that is typed, completed. */
  readonly typed: string;
}

/** So few that the links below stay in sight. */
const MOST = 6;

/** Links whose sites are offered: the newest of what the browser holds. */
const LOOKED_AT = 1_000;

/** Ways to complete the operator that the text ends with, or the name of one. */
export function completeOperator(typed: string, cached: CachedLibrary): readonly Completion[] {
  const { operators } = readQuestion(typed);
  const last = operators.at(-1);
  if (last && last.start + last.text.length === typed.length && !/."$/.test(last.text.replace(/:"$/, ''))) {
    const head = typed.slice(0, last.start);
    const name = last.text.slice(0, last.text.indexOf(':') + 1);
    const wanted = foldTerm(last.value);
    return listValues(last.key, cached)
      .filter((value) => foldText(value).includes(wanted) && foldText(value) !== wanted)
      .toSorted((one, other) => Number(begins(other, wanted)) - Number(begins(one, wanted)))
      .slice(0, MOST)
      .map((value) => {
        const text = name + (/\s/.test(value) ? `"${value}"` : value);
        return { text, hint: null, typed: `${head}${text} ` };
      });
  }
  // A word that could be the beginning of a name: three letters, as shorter ones begin too many words.
  const word = /(?:^|\s)([^\s":]{3,})$/.exec(typed)?.[1];
  if (word === undefined) return [];
  const head = typed.slice(0, typed.length - word.length);
  return Object.values(OPERATORS)
    .filter(({ name }) => name.replace(/^(é|sem):/, '').startsWith(foldTerm(word)))
    .map(({ name, hint }) => ({
      text: name,
      hint,
      typed: head + name + (name.endsWith(':') ? '' : ' '),
    }));
}

function begins(value: string, wanted: string): boolean {
  return foldText(value).startsWith(wanted);
}

function listValues(key: OperatorKey, cached: CachedLibrary): readonly string[] {
  switch (key) {
    case 'folder':
      return unique(cached.folders.map(({ name }) => name));
    case 'category':
      return unique(cached.folders.flatMap(({ categories }) => categories.map(({ name }) => name)));
    case 'kind':
      return ['vídeo', 'pdf', 'imagem'];
    case 'favorite':
      return ['favorito', 'quebrado'];
    case 'site':
      return listSites(cached);
    case 'owner':
      return unique(cached.listOwners?.() ?? []);
    case 'tag':
      return cached.listTags().map(({ name }) => name);
    case 'untagged':
      return ['tag'];
    default:
      return [];
  }
}

/** Hosts of the links that the browser holds, the most frequent first. */
function listSites(cached: CachedLibrary): readonly string[] {
  const counts = new Map<string, number>();
  for (const { url } of cached.listLinks().flat().slice(0, LOOKED_AT)) {
    const host = URL.parse(url)?.hostname.replace(/^www\./, '');
    if (host) counts.set(host, (counts.get(host) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([host]) => host);
}

// A quotation mark would end the quotation that the name stands in.
function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name) => !/["“”]/.test(name)))];
}
