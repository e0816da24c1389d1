import { foldText } from '@linkoteca/domain/fold-text';
import type { Link } from '../../../shared/lib/rows.ts';

const folded = new WeakMap<Link, string>();

/**
 * The next link whose title begins with what was typed, whatever its case and accents, coming round again from the top.
 * @param from where the search starts: a first letter goes on from the link after it, a longer beginning may stay.
 * @returns its index, or null.
 */
export function findByTitle(links: readonly Link[], typed: string, from: number): number | null {
  const beginning = foldText(typed);
  const start = [...typed].length === 1 ? from + 1 : from;
  for (let step = 0; step < links.length; step += 1) {
    const index = (start + step) % links.length;
    const link = links[index];
    if (link && foldedTitle(link).startsWith(beginning)) return index;
  }
  return null;
}

// Ten thousand titles are folded once, not with every letter.
function foldedTitle(link: Link): string {
  const known = folded.get(link);
  if (known !== undefined) return known;
  const title = foldText(link.title);
  folded.set(link, title);
  return title;
}
