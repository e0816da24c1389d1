/** Control characters of both sets, and marks of direction: what a terminal would obey instead of showing it. */
const OBEYED = /[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;

/** A text that somebody saved, on one line, for a terminal. */
export function printableText(text: string): string {
  return text.replace(OBEYED, ' ').trim();
}

/** As JSON on one line, in which no character is one that a terminal obeys. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
