export type SqlToken = {
  readonly kind: 'space' | 'comment' | 'string' | 'name' | 'number' | 'operator' | 'mark';
  /** As it stands in the text. */
  readonly text: string;
  /** A name without quotes is in lower case here; all else as it is. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
};

const PATTERNS: readonly (readonly [SqlToken['kind'], RegExp])[] = [
  ['space', /\s+/y],
  ['comment', /--[^\n]*/y],
  ['string', /[eE]'(?:[^'\\]|\\.|'')*'|[bBxX]?'(?:[^']|'')*'/y],
  ['string', /(\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?\1/y],
  ['name', /"(?:[^"]|"")*"|[\p{L}_][\p{L}\p{N}_$]*|\$\d+/uy],
  ['number', /\d+(?:\.\d+)?(?:e[+-]?\d+)?/iy],
  ['mark', /::|:=|=>|\.\.|[()[\],;.:]/y],
  ['operator', /[-+*/<>=~!@#%^&|?]+/y],
];

/** Cuts SQL into tokens that together are the text. @throws Error at what is no SQL. */
export function tokenizeSql(text: string): readonly SqlToken[] {
  const tokens: SqlToken[] = [];
  for (let at = 0; at < text.length; ) {
    const [kind, end] = text.startsWith('/*', at)
      ? ['comment' as const, endOfComment(text, at)]
      : match(text, at);
    const piece = text.slice(at, end);
    tokens.push({ kind, text: piece, word: kind === 'name' ? piece.toLowerCase() : piece, start: at, end });
    at = end;
  }
  return tokens;
}

function match(text: string, at: number): readonly [SqlToken['kind'], number] {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    if (found === undefined) continue;
    // A comment ends an operator: `a+--b`.
    const comment = kind === 'operator' ? found.search(/--|\/\*/) : -1;
    return [kind, at + (comment > 0 ? comment : found.length)];
  }
  throw new Error(`no SQL at ${JSON.stringify(text.slice(at, at + 20))}`);
}

/** A comment may hold others. */
function endOfComment(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text.startsWith('/*', at)) {
      depth += 1;
      at += 1;
    } else if (text.startsWith('*/', at)) {
      depth -= 1;
      at += 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}
