import { isDeepStrictEqual } from 'node:util';

/** The fields that differ, with the values they had: Stripe's `previous_attributes`. */
export function findChanges(before: object, after: object): Record<string, unknown> {
  const now = after as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(before).filter(([name, value]) => !isDeepStrictEqual(value, now[name])),
  );
}
