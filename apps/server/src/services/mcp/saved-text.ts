/**
 * Characters that a person does not see and an assistant reads: direction marks, joints of no width, and the letters of Unicode's tag
 * block, in which whole sentences can be hidden. The two joiners stay: emoji and some scripts need them.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: leaving them out is the purpose.
  /[\u0000-\u0008\u000B-\u001F\u007F\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

/** A text that somebody saved, as far as a person would see it. */
export function showText(text: string): string {
  return text.replace(UNSEEN, '');
}

/** As showText, for addresses: what is not seen is written out, so that the address stays the same. */
export function showAddress(url: string): string {
  return url.replace(UNSEEN, encodeURIComponent);
}
