import * as v from 'valibot';

/**
 * A path of this app, or undefined. What comes from the address bar must never send a person to another site after
 * signing in: '//evil.example', '/\evil.example' and full addresses are dropped. Long enough for what a phone shares.
 */
export const internalPathSchema = v.fallback(
  v.optional(v.pipe(v.string(), v.regex(/^\/(?![/\\])/), v.maxLength(4000))),
  undefined,
);
