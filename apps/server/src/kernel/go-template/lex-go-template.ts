/** A template is wrong. `message` is a sentence in Portuguese that names the line. */
export class GoTemplateError extends Error {
  override readonly name = 'GoTemplateError';

  constructor(what: string, line: number) {
    super(`${what} (linha ${line})`);
  }
}

export type Token =
  | { readonly kind: 'word'; readonly text: string }
  /** `.A.B`, `$.A`, `.` or `$`. */
  | { readonly kind: 'field'; readonly path: readonly string[]; readonly fromRoot: boolean }
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'mark'; readonly text: '(' | ')' | '|' };

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly tokens: readonly Token[]; readonly line: number };

const SPACE = /\s/;
const WORD = /[A-Za-z_]\w*/y;
const FIELD = /(\$?)((?:\.[A-Za-z_]\w*)+|\.|(?<=\$))/y;
const NUMBER = /-?\d+(?:\.\d+)?/y;
/** As Go's own quoted strings, but for escapes that no mail needs. */
const QUOTED = /"(?:[^"\\\n]|\\["\\nt])*"/y;
const RAW = /`[^`]*`/y;
const COMMENT = /\{\{(- )?\/\*[\s\S]*?\*\/( -)?\}\}/y;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t' };
const CONSTANTS: Readonly<Record<string, boolean | null>> = { true: true, false: false, nil: null };

/**
 * Splits a template into its text and its actions, trimmed where the actions say so (`{{-`, `-}}`).
 * (Source: Go, `text/template`.)
 * @throws GoTemplateError
 */
export function lexGoTemplate(source: string): readonly Part[] {
  const parts: Part[] = [];
  let at = 0;
  let trimNext = false;
  const pushText = (text: string, trimEnd: boolean) => {
    const left = trimNext ? text.trimStart() : text;
    const whole = trimEnd ? left.trimEnd() : left;
    if (whole !== '') parts.push({ kind: 'text', text: whole });
  };
  for (;;) {
    const start = source.indexOf('{{', at);
    if (start === -1) {
      pushText(source.slice(at), false);
      return parts;
    }
    const line = source.slice(0, start).split('\n').length;
    const comment = match(COMMENT, source, start);
    const trimsLeft = /^\{\{-\s/.test(source.slice(start, start + 4));
    pushText(source.slice(at, start), trimsLeft);
    const action = comment
      ? { tokens: [], end: start + comment[0].length, trimsRight: comment[2] !== undefined }
      : lexAction(source, start + (trimsLeft ? 3 : 2), line);
    if (!comment) parts.push({ kind: 'action', tokens: action.tokens, line });
    at = action.end;
    trimNext = action.trimsRight;
  }
}

function lexAction(
  source: string,
  start: number,
  line: number,
): { readonly tokens: readonly Token[]; readonly end: number; readonly trimsRight: boolean } {
  const tokens: Token[] = [];
  let at = start;
  for (;;) {
    while (at < source.length && SPACE.test(source[at] ?? '')) at += 1;
    if (source.startsWith('}}', at)) return { tokens, end: at + 2, trimsRight: false };
    if (source.startsWith('-}}', at)) return { tokens, end: at + 3, trimsRight: true };
    const read = readToken(source, at);
    if (!read)
      throw new GoTemplateError(
        at >= source.length ? 'falta "}}"' : `não entendido: ${source.slice(at, at + 12)}`,
        line,
      );
    tokens.push(read.token);
    at = read.end;
  }
}

function readToken(source: string, at: number): { readonly token: Token; readonly end: number } | undefined {
  const first = source[at] ?? '';
  if (first === '(' || first === ')' || first === '|')
    return { token: { kind: 'mark', text: first }, end: at + 1 };
  const raw = match(RAW, source, at);
  if (raw) return literal(raw[0].slice(1, -1), at + raw[0].length);
  const quoted = match(QUOTED, source, at);
  if (quoted)
    return literal(
      quoted[0].slice(1, -1).replace(/\\(.)/g, (_, letter: string) => ESCAPES[letter] ?? letter),
      at + quoted[0].length,
    );
  const number = match(NUMBER, source, at);
  if (number) return literal(Number(number[0]), at + number[0].length);
  const field = match(FIELD, source, at) ?? (first === '$' ? ['$', '$', ''] : undefined);
  if (field)
    return {
      token: {
        kind: 'field',
        path: (field[2] ?? '').split('.').filter((name) => name !== ''),
        fromRoot: field[1] === '$',
      },
      end: at + (field[0]?.length ?? 1),
    };
  const word = match(WORD, source, at)?.[0];
  if (word === undefined) return undefined;
  const end = at + word.length;
  return Object.hasOwn(CONSTANTS, word)
    ? literal(CONSTANTS[word] ?? null, end)
    : { token: { kind: 'word', text: word }, end };
}

function literal(value: string | number | boolean | null, end: number) {
  return { token: { kind: 'literal', value } as const, end };
}

function match(pattern: RegExp, source: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source) ?? undefined;
}
