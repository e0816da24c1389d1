import { countCharacters, truncateCharacters } from './count-characters.ts';

/** Cuts to `max` code points, the last of them '…', between two words where one ends near. Texts that fit stay as they are. */
export function shortenText(text: string, max: number): string {
  if (countCharacters(text) <= max) return text;
  const cut = truncateCharacters(text, max - 1);
  const lastSpace = cut.search(/\s\S*$/);
  const kept = lastSpace > cut.length * 0.6 ? cut.slice(0, lastSpace) : cut;
  return `${kept.trimEnd()}…`;
}
