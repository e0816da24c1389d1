import * as v from 'valibot';
import { readGoDuration } from '../../kernel/go-duration.ts';
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

/** RFC 5321, section 4.5.3.1: a path is at most 256 octets, its angle brackets included. */
const MAX_LENGTH = 254;
/** The form browsers accept in an e-mail field, the same one the platform checks. */
const EMAIL = v.pipe(v.string(), v.maxLength(MAX_LENGTH), v.rfcEmail());

/** The one spelling of an address that is stored and compared: trimmed, lower case. Nothing is checked. */
export function normalizeEmail(raw: string): string {
  return raw.trim().toLowerCase();
}

/**
 * Normalises an address and requires it to look like one.
 * @throws validation_failed
 */
export function readEmail(raw: string): string {
  const email = normalizeEmail(raw);
  if (email.length > MAX_LENGTH)
    throw new AuthError('validation_failed', { message: 'An email address is too long' });
  if (!v.safeParse(EMAIL, email).success)
    throw new AuthError('validation_failed', { message: 'Unable to validate email address: invalid format' });
  return email;
}

/** E.164 without the plus: a country's code and a number, 15 digits at most. */
const PHONE = /^[1-9]\d{1,14}$/;

/** The one spelling of a number that is stored and compared: without plus and spaces. Nothing is checked. */
export function normalizePhone(raw: string): string {
  return raw.replace(/^\+/, '').replaceAll(' ', '');
}

/**
 * Normalises a phone number and requires it to look like one.
 * @throws validation_failed
 */
export function readPhone(raw: string): string {
  const phone = normalizePhone(raw);
  if (!PHONE.test(phone))
    throw new AuthError('validation_failed', { message: 'Invalid phone number format (E.164 required)' });
  return phone;
}

/** Postgres and ECMAScript both end long before the years Go's durations could not reach anyway (about 290). */
const MAX_MS = 290 * 365 * 24 * 3_600_000;

/**
 * Reads a ban like '24h', '1h30m' or 'none' (Go's notation).
 * @returns until when; null lifts the ban; undefined when nothing was said.
 * @throws validation_failed
 */
export function readBanDuration(raw: string, now: Date): Date | null | undefined {
  if (raw === '') return undefined;
  if (raw === 'none') return null;
  const total = readGoDuration(raw) ?? Number.POSITIVE_INFINITY;
  if (total > MAX_MS)
    throw new AuthError('validation_failed', { message: `invalid format for ban duration: "${raw}"` });
  return new Date(now.getTime() + total);
}
