import { splitFound } from '@linkoteca/domain/split-matches';

/** Characters kept before the match, so that it stands in one line. */
const LEAD = 30;

/** A long text from shortly before its first match on, so that the match is seen; as it is when it matches early or not at all. */
export function excerptMatch(text: string, term: string): string {
  const line = text.replace(/\s+/g, ' ');
  const [before, match] = splitFound(line, term);
  if (before === undefined || before.matched || match === undefined) return line;
  const lead = [...before.text];
  if (lead.length <= LEAD * 2) return line;
  return `…${lead.slice(-LEAD).join('')}${line.slice(before.text.length)}`;
}
