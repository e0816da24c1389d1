import * as v from 'valibot';
import type { AuthRequest } from './auth-context.ts';
import { AuthError } from './auth-error.ts';

/** Text that may be left out or null; both mean empty, as in the platform's own decoder. */
export const text = v.pipe(
  v.nullish(v.string(), ''),
  v.transform((value) => value ?? ''),
);

/** A yes or no that may be left out or null. */
export const flag = v.pipe(
  v.nullish(v.boolean(), false),
  v.transform((value) => value ?? false),
);

/** Free JSON of the application. Kept as it came: no key is dropped, whatever its name. */
export const metadata = v.nullish(
  v.custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
  ),
);

export const challengeFields = { code_challenge: text, code_challenge_method: text };

/**
 * Reads the body by a schema.
 * @throws bad_json when there is none, or a field has the wrong type.
 */
export function readBody<const T extends v.GenericSchema>(schema: T, body: unknown): v.InferOutput<T> {
  // An array is an object to the schema library: its fields would all count as left out.
  const read = v.safeParse(schema, Array.isArray(body) ? undefined : body);
  if (read.success) return read.output;
  const [issue] = read.issues;
  const place = v.getDotPath(issue) ?? 'body';
  throw new AuthError('bad_json', {
    message: `Could not parse request body as JSON: ${place}: ${issue.message}`,
  });
}

/** The request as if the fields of its form stood in its query, which goes before them. */
export function withForm(request: AuthRequest): AuthRequest {
  const { body, query } = request;
  if (typeof body !== 'object' || body === null) return request;
  const fields = Object.entries(body).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { ...request, query: { ...Object.fromEntries(fields), ...query } };
}
