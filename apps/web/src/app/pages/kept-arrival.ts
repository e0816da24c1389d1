import * as v from 'valibot';

const KEY = 'linkoteca-arrival';

/** As long as somebody may take to make an account and find its mail, milliseconds: a day. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** Characters of an address that goes through sign-up in another address. */
const LONGEST = 4000;

const arrivalSchema = v.object({
  href: v.pipe(v.string(), v.startsWith('/share-target?'), v.maxLength(LONGEST)),
  at: v.number(),
});

/**
 * Keeps on this device what was shared with the app, until its form opens. The address goes along through sign-in and
 * sign-up, too, but not on every way: not by a new password, nor from the front page.
 */
export function keepArrival(href: string): void {
  if (!v.is(arrivalSchema.entries.href, href)) return;
  try {
    localStorage.setItem(KEY, JSON.stringify({ href, at: Date.now() }));
  } catch {
    // Without storage it goes along with the address alone.
  }
}

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

/** Gives what was shared and not seen yet, once. */
export function takeArrival(now = Date.now()): string | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    localStorage.removeItem(KEY);
    const { success, output } = v.safeParse(arrivalSchema, stored);
    return success && now - output.at < KEPT_MS ? output.href : null;
  } catch {
    return null;
  }
}
