import { formatCount, formatNumber } from '@linkoteca/domain/formats';
import { RETURNS, STAYS } from './undo-messages.ts';

/** How many rows of an act come back, and how many stay, by the database's names of it. */
export type ActCounts = Readonly<Partial<Record<keyof typeof RETURNS | keyof typeof STAYS, number>>>;

/** Counts as the database answers them; what is none counts as nothing. Pure. */
export function readActCounts(answer: unknown): ActCounts {
  const known = [...Object.keys(RETURNS), ...Object.keys(STAYS)];
  const fields = typeof answer === 'object' && answer !== null ? Object.entries(answer) : [];
  return Object.fromEntries(
    fields.filter(([name, count]) => known.includes(name) && typeof count === 'number' && count > 0),
  );
}

/** '40 links voltam para onde estavam.', a sentence for each kind. Empty where nothing comes back. Pure. */
export function describeReturns(counts: ActCounts): readonly string[] {
  return sentences(counts, RETURNS, (name, count) =>
    name === 'renamed' ? formatCount(count, 'categoria', 'categorias') : formatCount(count, 'link', 'links'),
  );
}

/** '2 já foram mudados depois e ficam como estão.', a sentence for each reason. Pure. */
export function describeStays(counts: ActCounts): readonly string[] {
  return sentences(counts, STAYS, (_name, count) => formatNumber(count));
}

function sentences<Name extends keyof ActCounts>(
  counts: ActCounts,
  words: Readonly<Record<Name, readonly [one: string, many: string]>>,
  countOf: (name: Name, count: number) => string,
): readonly string[] {
  return (Object.keys(words) as Name[]).flatMap((name) => {
    const count = counts[name] ?? 0;
    const [one, many] = words[name];
    return count === 0 ? [] : [`${countOf(name, count)} ${count === 1 ? one : many}.`];
  });
}
