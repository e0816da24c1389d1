import * as v from 'valibot';

/** Far more than any authenticator says; a credential's id has 1023 bytes at most (WebAuthn, section 4). */
const bytes = v.pipe(v.string(), v.maxLength(65_536), v.regex(/^[\w-]*$/));
const id = v.pipe(v.string(), v.maxLength(1364), v.regex(/^[\w-]+$/));
const credential = { id, rawId: id, type: v.literal('public-key') };
/** The forms of WebAuthn, section 5.1: `RegistrationResponseJSON` and `AuthenticationResponseJSON`. What they say besides proves nothing. */
const CREATED = v.object({
  ...credential,
  response: v.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(32))), v.maxLength(16)), []),
  }),
});
const PROOF = v.object({
  ...credential,
  response: v.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: v.pipe(
      v.nullish(bytes),
      v.transform((handle) => handle ?? ''),
    ),
  }),
});

export type CreatedResponse = v.InferOutput<typeof CREATED> & NoExtensions;
export type ProofResponse = v.InferOutput<typeof PROOF> & NoExtensions;
/** What a browser adds, and nothing here reads. */
type NoExtensions = { readonly clientExtensionResults: object };

/** What an authenticator has said to `navigator.credentials.create`; undefined for what is of another shape. */
export function readCreatedResponse(raw: unknown): CreatedResponse | undefined {
  return withoutExtensions(v.safeParse(CREATED, raw));
}

/** The same for `navigator.credentials.get`. */
export function readProofResponse(raw: unknown): ProofResponse | undefined {
  return withoutExtensions(v.safeParse(PROOF, raw));
}

function withoutExtensions<T extends object>(
  read: { readonly success: true; readonly output: T } | { readonly success: false },
): (T & NoExtensions) | undefined {
  return read.success ? { ...read.output, clientExtensionResults: {} } : undefined;
}

const SESSION = v.object({ challenge: v.pipe(v.string(), v.nonEmpty()) });

/** What had to be answered, of what was kept of a challenge. */
export function readAskedChallenge(sessionData: unknown): string | undefined {
  const session = v.safeParse(SESSION, sessionData);
  return session.success ? session.output.challenge : undefined;
}

/** The library throws for whatever does not hold. @returns undefined then */
export async function unlessWrong<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}
