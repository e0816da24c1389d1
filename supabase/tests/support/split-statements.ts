/**
 * Splits a migration as the hosted platform's command line does before it sends the statements one by one: at each semicolon outside
 * of quotes, dollar quotes, comments, parentheses and bodies that `begin atomic` opens.
 */
export function splitStatements(text: string): readonly string[] {
  const statements: string[] = [];
  let start = 0;
  let depth = 0;
  /** Where the current statement of an atomic body begins; undefined outside of one. */
  let innerStart: number | undefined;
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    const [skipped] = OPAQUE.exec(rest) ?? [];
    if (skipped !== undefined) {
      at += skipped.startsWith('/*') ? measureComment(rest) : skipped.length;
      continue;
    }
    const [token = ''] = TOKEN.exec(rest) ?? [];
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    // A `case` ends as well, but never where a statement begins.
    if (/^end$/i.test(token) && text.slice(innerStart, at).trim() === '') innerStart = undefined;
    at += token.length;
    if (/^begin\s+atomic$/i.test(token) || (token === ';' && innerStart !== undefined)) innerStart = at;
    else if (token === ';' && depth === 0) {
      statements.push(text.slice(start, at - 1));
      start = at;
    }
  }
  return [...statements, text.slice(start)].map((one) => one.trim()).filter((one) => one !== '');
}

/** A string (with backslashes where it begins with E), a name in quotes, a comment, or a dollar quote with its body. */
const OPAQUE =
  /^(?:[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*|(\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?\1)/;

/** Names are taken whole: a dollar within one opens no quote. */
const TOKEN = /^(?:begin\s+atomic\b|[\p{L}_][\p{L}\p{N}_$]*|[\s\S])/iu;

/** The length of a comment that may hold others. */
function measureComment(text: string): number {
  let depth = 0;
  for (const { 0: mark, index } of text.matchAll(/\/\*|\*\//g)) {
    depth += mark === '/*' ? 1 : -1;
    if (depth === 0) return index + 2;
  }
  return text.length;
}
