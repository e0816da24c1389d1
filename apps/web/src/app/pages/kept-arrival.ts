import * as v from 'valibot';

const KEY = 'linkoteca-arrival';

/** As long as somebody may take to make an account and find its mail, milliseconds: a day. */
const KEPT_MS = 24 * 60 * 60 * 1000;

const arrivalSchema = v.object({
  href: v.pipe(v.string(), v.startsWith('/share-target?'), v.maxLength(4000)),
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
