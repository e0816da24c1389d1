// Postgres text has no NUL; every other control character but tab and line breaks is invisible noise of a bad paste.
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose.
const UNSTORABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g;
const LINE_BREAKS = /[\t\n\r\u2028\u2029]+/g;

/** Makes a typed text storable: well-formed Unicode without control characters, trimmed. Line breaks stay. */
export function cleanText(raw: string): string {
  return raw.toWellFormed().replace(UNSTORABLE, '').trim();
}

/** As cleanText, on one line: for names and titles. */
export function cleanLine(raw: string): string {
  return cleanText(raw.replace(LINE_BREAKS, ' '));
}
