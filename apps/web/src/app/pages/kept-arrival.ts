import * as v from 'valibot';

const KEY = 'linkoteca-arrival';

/** As long as somebody may take to make an account and find its mail, milliseconds: a day. */
const KEPT_MS = 24 * 60 * 60 * 1000;

const arrivalSchema = v.object({
  href: v.pipe(v.string(), v.startsWith('/share-target?'), v.maxLength(4000)),
  at: v.number(),
  /** Whether the device shared it, and no page led to it. Earlier versions did not say. */
  isShared: v.optional(v.boolean()),
});

/**
 * Keeps on this device what was shared with the app, until its form opens. The address goes along through sign-in and
 * sign-up, too, but not on every way: not by a new password, nor from the front page.
 */
export function keepArrival(href: string, isShared: boolean): void {
  if (!v.is(arrivalSchema.entries.href, href)) return;
  const was = takeArrival();
  // Whoever signed in at another site comes back from there: that changes nothing of how it came.
  const shared = isShared || (was?.href === href && was.isShared);
  try {
    localStorage.setItem(KEY, JSON.stringify({ href, at: Date.now(), isShared: shared }));
  } catch {
    // Without storage it goes along with the address alone.
  }
}

/** Gives what was shared and not seen yet, once. */
export function takeArrival(now = Date.now()): v.InferOutput<typeof arrivalSchema> | null {
  try {
    const stored = localStorage.getItem(KEY) ?? '';
    localStorage.removeItem(KEY);
    const arrival = v.parse(arrivalSchema, JSON.parse(stored));
    return now - arrival.at < KEPT_MS ? arrival : null;
  } catch {
    return null;
  }
}
