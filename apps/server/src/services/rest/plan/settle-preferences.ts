import type { ParsedRequest } from '../parse/parse-request.ts';
import { fail, type Outcome, ok, restError } from '../rest-error.ts';
import type { SchemaCache } from '../schema-cache/schema-cache.ts';

/** A time zone that Postgres does not know counts as a preference that nobody knows: refused with `handling=strict`, ignored otherwise. */
export function settlePreferences(cache: SchemaCache, request: ParsedRequest): Outcome<ParsedRequest> {
  const { timeZone, handling, unknown } = request.preferences;
  if (timeZone === undefined || cache.forms.timeZones.has(timeZone.toLowerCase())) return ok(request);
  const invalid = [...unknown, `timezone=${timeZone}`];
  if (handling === 'strict') return fail(restError.invalidPreferences(invalid));
  return ok({ ...request, preferences: { ...request.preferences, timeZone: undefined, unknown: invalid } });
}
