import { readClaims } from './read-person.ts';

/**
 * When the person last proved who they were in the token's session, in seconds since 1970: the newest entry of the claim `amr`. A
 * refreshed token keeps it. Undefined for a token that does not say.
 */
export function readSignInTime(headers: Headers): number | undefined {
  const amr = readClaims(headers)?.['amr'];
  if (!Array.isArray(amr)) return undefined;
  const times = amr.flatMap((entry: unknown) => {
    const time = (entry as { readonly timestamp?: unknown } | null)?.timestamp;
    return typeof time === 'number' && Number.isFinite(time) ? [time] : [];
  });
  return times.length === 0 ? undefined : Math.max(...times);
}
