/** Characters of an address that goes through sign-up in another address, and is kept (kept-arrival.ts). */
const LONGEST = 4000;

/**
 * Where a text leads that somebody pasted before they had an account: to the form of a new link, with it. Whatever it is, it is only
 * text there. Null for nothing. What is too long to travel is cut; no link of that length could be saved.
 */
export function arrivalOf(pasted: string): string | null {
  let text = pasted.trim().slice(0, LONGEST);
  if (text === '') return null;
  const address = () => `/share-target?${new URLSearchParams({ text })}`;
  while (address().length > LONGEST) text = text.slice(0, -100);
  return address();
}
