/** What a question of linkding's asks of our search. */
export type LinkdingQuestion = {
  /** An address alone: programs look this way whether a page is saved. */
  readonly url: string | undefined;
  /** In the operators of our own search; empty: everything. */
  readonly text: string;
  /** Whether nothing can be found: nothing here is unread. */
  readonly isNothing: boolean;
};

/** Its words, with `#tag`, `!untagged` and `!unread`, put into our operators. Pure. */
export function readLinkdingQuestion(query: string): LinkdingQuestion {
  const typed = query.replaceAll('\0', ' ').toWellFormed().trim().slice(0, 500);
  if (/^https?:\/\/\S+$/i.test(typed)) return { url: typed, text: typed, isNothing: false };
  const words = typed.split(/\s+/);
  const text = words.map(translate).filter((word) => word !== '');
  return { url: undefined, text: text.join(' '), isNothing: words.includes('!unread') };
}

function translate(word: string): string {
  if (word === '!untagged') return 'sem:tag';
  if (word === '!unread') return '';
  const tag = /^#([^"]+)$/.exec(word)?.[1];
  return tag === undefined ? word : `tag:"${tag}"`;
}

/** A page by number, as its programs ask for it. */
export type Range = { readonly offset: number; readonly limit: number };

/** What is no number is left out, and what is too much cut, as Django's REST framework does. Pure. */
export function readRange(
  query: Readonly<Record<string, string | undefined>>,
  sizes: { readonly usual: number; readonly most: number },
): Range {
  const limit = readNumber(query['limit']) || sizes.usual;
  return {
    offset: Math.min(readNumber(query['offset']) ?? 0, 1_000_000),
    limit: Math.min(limit, sizes.most),
  };
}

function readNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
