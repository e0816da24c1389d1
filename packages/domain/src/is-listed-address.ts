/**
 * Whether a list of addresses names this one. In the list `**` takes anything, `*` stops at `.` and `/`, `?` is one character that
 * is neither: the hosted platform's patterns.
 */
export function isListedAddress({ href }: URL, list: readonly string[]): boolean {
  // `https://example.com` is written in lists without the slash that its normal form has.
  const spellings = [href, href.replace(/\/$/, '')];
  return list.some((glob) => spellings.some((spelling) => toPattern(glob).test(spelling)));
}

function toPattern(glob: string): RegExp {
  const source = glob.replace(/\*\*|[\s\S]/g, (part) => {
    if (part === '**') return '.*';
    if (part === '*') return '[^./]*';
    if (part === '?') return '[^./]';
    return part.replace(/[\\^$.|+()[\]{}/-]/g, '\\$&');
  });
  return new RegExp(`^${source}$`);
}
