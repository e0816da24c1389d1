/** From the one that is guessed first to the one that is not worth guessing. */
export type PasswordRating = 'weak' | 'fair' | 'good' | 'strong';

/** What is tried first, here and elsewhere; as parts, with a number or a year behind. */
const COMMON =
  /^(?:1?2345(?:67?8?9?0?)?|123123|111111|000000|abc123|qwerty(?:uiop)?|asdfgh?j?k?l?|senha|password|admin|iloveyou|teamo|brasil|flamengo|corinthians|palmeiras|mudar|linkoteca|bemvindo)[\d!@#$%&*.]*$/i;

/**
 * Rates a password as somebody would who guesses: length counts most, repetition and what everybody uses count nothing.
 * @param about words that a stranger knows of the person: name, e-mail.
 */
export function ratePassword(password: string, about: readonly string[] = []): PasswordRating {
  const lower = password.toLowerCase();
  const known = about
    .flatMap((text) => text.toLowerCase().split(/[\s@._-]+/))
    .filter((part) => part.length > 2 && lower.includes(part));
  const rest = known.reduce((text, part) => text.replaceAll(part, ''), lower);
  if (COMMON.test(password)) return 'weak';
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(password)).length;
  const score = countFresh(rest) + (kinds - 1) * 1.5;
  if (score < 7) return 'weak';
  if (score < 10) return 'fair';
  return score < 16 ? 'good' : 'strong';
}

/** Characters that do not follow from the one before: 'aaaa' and '1234' are one each. */
function countFresh(text: string): number {
  const points = [...text].map((character) => character.codePointAt(0) ?? 0);
  return points.filter((point, at) => at === 0 || Math.abs(point - (points[at - 1] ?? 0)) > 1).length;
}
