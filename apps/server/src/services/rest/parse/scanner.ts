import { fail, type Outcome, ok, restError } from '../rest-error.ts';

/** Leaves the grammar rules at the first character that fits none; never leaves `parseWith`. */
class SyntaxFailure extends Error {
  readonly position: number;
  readonly expected: string;
  readonly quote: string;

  constructor(position: number, expected: string, quote: string) {
    super(expected);
    this.position = position;
    this.expected = expected;
    this.quote = quote;
  }
}

/** A cursor over one query parameter. Rules advance it, or give up through `fail`. */
export class Scanner {
  readonly text: string;
  position = 0;

  constructor(text: string) {
    this.text = text;
  }

  get done(): boolean {
    return this.position >= this.text.length;
  }

  peek(): string {
    return this.text.charAt(this.position);
  }

  sees(literal: string): boolean {
    return this.text.startsWith(literal, this.position);
  }

  take(literal: string): boolean {
    if (!this.sees(literal)) return false;
    this.position += literal.length;
    return true;
  }

  expect(literal: string): void {
    if (!this.take(literal)) this.fail(`"${literal}"`);
  }

  /** `pattern` must be sticky (flag y); returns its match at the cursor and moves behind it. */
  match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text);
    if (found === null) return undefined;
    this.position = pattern.lastIndex;
    return found;
  }

  skipBlanks(): void {
    while (this.sees(' ') || this.sees('\t')) this.position += 1;
  }

  /** @param quote what stands around the character that was not expected. */
  fail(expected: string, quote = '"'): never {
    throw new SyntaxFailure(this.position, expected, quote);
  }
}

/** What an error asks for where nothing more can follow. */
export const END = 'end of input';

/** Long parameters are quoted in the error only this far. */
const QUOTED_LENGTH = 500;

/**
 * Runs a grammar rule over the whole of `text`.
 * @param label what the text is, as the error says it: `"failed to parse filter (…)" (line 1, column 4)`.
 * @param said what the client wrote of it, where that is not all.
 */
export function parseWith<T>(
  label: string,
  text: string,
  rule: (scanner: Scanner) => T,
  said = text,
): Outcome<T> {
  const scanner = new Scanner(text);
  try {
    const value = rule(scanner);
    if (!scanner.done) scanner.fail(END);
    return ok(value);
  } catch (error) {
    if (!(error instanceof SyntaxFailure)) throw error;
    const unexpected = text.slice(error.position, error.position + 2);
    // A surrogate pair is one character to the reader.
    const character = String.fromCodePoint(unexpected.codePointAt(0) ?? 0);
    const shown = said.length > QUOTED_LENGTH ? `${said.slice(0, QUOTED_LENGTH)}…` : said;
    return fail(
      restError.syntax(
        `"failed to parse ${label} (${shown})" (line 1, column ${error.position + 1})`,
        `unexpected ${unexpected === '' ? END : `${error.quote}${character}${error.quote}`} expecting ${error.expected}`,
      ),
    );
  }
}
