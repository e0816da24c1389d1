/**
 * The signed-in person's id; undefined for API keys, visitors and accounts without a name (anonymous sign-in). It reads the bearer token without verifying it: the
 * gateway in front of the functions has done so (`verify_jwt`), here as on the hosted platform.
 */
export function readPerson(headers: Headers): string | undefined {
  const claims = readClaims(headers);
  if (claims?.['role'] !== 'authenticated' || claims['is_anonymous'] === true) return undefined;
  const sub = claims['sub'];
  return typeof sub === 'string' && sub !== '' ? sub : undefined;
}

/** The address the account had when the token was made; undefined when it has none. As little verified as the person. */
export function readEmail(headers: Headers): string | undefined {
  const email = readClaims(headers)?.['email'];
  return typeof email === 'string' && email !== '' ? email : undefined;
}

/** What the bearer token says, as little verified as the person; undefined for what is no token. */
export function readClaims(headers: Headers): Record<string, unknown> | undefined {
  const token = /^bearer +(.+)$/i.exec(headers.get('authorization') ?? '')?.[1];
  const payload = token?.split('.')[1] ?? '';
  try {
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), toCode);
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null ? { ...claims } : undefined;
  } catch {
    return undefined;
  }
}

function toCode(character: string): number {
  return character.charCodeAt(0);
}

/**
 * When the person last signed in in the token's session, in seconds since 1970: the newest entry of the claim `amr` that is no second
 * factor, which whoever finds a session open could add and prove. A refreshed token keeps it. Undefined for a token that does not say.
 */
export function readSignInTime(headers: Headers): number | undefined {
  const amr = readClaims(headers)?.['amr'];
  if (!Array.isArray(amr)) return undefined;
  const times = amr.flatMap((entry: unknown) => {
    const { method, timestamp: time } = (entry ?? {}) as Readonly<Record<string, unknown>>;
    return typeof time === 'number' && Number.isFinite(time) && !isSecondFactor(method) ? [time] : [];
  });
  return times.length === 0 ? undefined : Math.max(...times);
}

/** (Source: GoTrue, `AuthenticationMethod`.) */
function isSecondFactor(method: unknown): boolean {
  return typeof method === 'string' && (method === 'totp' || method.startsWith('mfa/'));
}
