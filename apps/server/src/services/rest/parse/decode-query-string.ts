import { fail, type Outcome, ok } from '../outcome.ts';
import { restError } from '../rest-error.ts';

const UNREADABLE = restError.syntax(
  'The URL is not valid percent-encoded UTF-8',
  'Every % must be followed by two hexadecimal digits that form UTF-8 text without NUL.',
);

/** Postgres text cannot hold NUL, and a lone `%` has no meaning: both are told here instead of deep inside. */
export function decodePart(part: string): Outcome<string> {
  if (!part.includes('%')) return part.includes('\0') ? fail(UNREADABLE) : ok(part);
  try {
    const decoded = decodeURIComponent(part);
    return decoded.includes('\0') ? fail(UNREADABLE) : ok(decoded);
  } catch {
    return fail(UNREADABLE);
  }
}

/** Splits and decodes a query string (without `?`), in order, keeping repeated keys. A `+` is a blank. */
export function decodeQueryString(text: string): Outcome<readonly (readonly [string, string | undefined])[]> {
  const pairs: (readonly [string, string | undefined])[] = [];
  if (text === '') return ok(pairs);
  for (const part of text.replaceAll('+', ' ').split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const key = decodePart(equals === -1 ? part : part.slice(0, equals));
    if (!key.ok) return key;
    if (equals === -1) {
      pairs.push([key.value, undefined]);
      continue;
    }
    const value = decodePart(part.slice(equals + 1));
    if (!value.ok) return value;
    pairs.push([key.value, value.value]);
  }
  return ok(pairs);
}
