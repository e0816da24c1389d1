import type { Preferences } from '../parse/parse-preferences.ts';

/** `Preference-Applied`: of the given kinds, those that were asked for and obeyed. */
export function listAppliedPreferences(
  preferences: Preferences,
  kinds: readonly ('resolution' | 'missing' | 'return' | 'count' | 'max-affected')[],
): string | undefined {
  const { resolution, missing, representation, count, handling, maxAffected } = preferences;
  const applied: string[] = [];
  const add = (kind: (typeof kinds)[number], value: string | number | undefined) => {
    if (value !== undefined && kinds.includes(kind)) applied.push(`${kind}=${value}`);
  };
  add('resolution', resolution);
  add('missing', missing);
  add('return', representation);
  add('count', count);
  if (handling !== undefined) applied.push(`handling=${handling}`);
  if (handling === 'strict') add('max-affected', maxAffected);
  return applied.length === 0 ? undefined : applied.join(', ');
}
