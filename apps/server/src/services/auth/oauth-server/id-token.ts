import type { AuthContext } from '../auth-context.ts';
import type { SessionRow } from '../stores/sessions.ts';
import type { UserRow } from '../stores/users.ts';
import type { OAuthClient } from './client-store.ts';
import { issuerOf } from './metadata.ts';
import { describePerson } from './userinfo.ts';

type Signed = {
  readonly client: Pick<OAuthClient, 'id'>;
  readonly user: UserRow;
  readonly session: SessionRow;
  readonly nonce: string | undefined;
  /** The left half of the access token's SHA-256. */
  readonly accessTokenHash: Buffer;
};

/**
 * Tells a program who a person is (OpenID Connect Core 1.0, section 2). It is for the program alone: it has neither a role nor a program's
 * id, so that no service takes it for an access token, and it names its session, with which it ends.
 */
export function signIdToken(
  { keyring, settings, now }: Pick<AuthContext, 'keyring' | 'settings' | 'now'>,
  { client, user, session, nonce, accessTokenHash }: Signed,
): Promise<string> {
  const issuedAt = Math.floor(now().getTime() / 1000);
  return keyring.signAccessToken({
    iss: issuerOf(settings),
    aud: client.id,
    iat: issuedAt,
    exp: issuedAt + settings.accessTokenLifetime,
    auth_time: session.amr[0]?.timestamp ?? issuedAt,
    at_hash: accessTokenHash.toString('base64url'),
    ...(nonce === undefined ? {} : { nonce }),
    ...describePerson(user, session.program?.scope ?? ''),
    session_id: session.id,
  });
}
