import type { JWTPayload } from 'jose';

/** Who somebody is, in the words of another provider. */
export type ProviderProfile = {
  readonly provider: 'google';
  /** The provider's own id of the person: addresses change hands, this does not. */
  readonly subject: string;
  /** As the provider spells it; empty when it does not tell. */
  readonly email: string;
  /** Whether the provider vouches for the address. Only `true` counts. */
  readonly emailVerified: boolean;
  /** What the account and its identity remember, in the platform's names. */
  readonly data: Readonly<Record<string, unknown>>;
};

/** A name or an address of a picture longer than this is not worth a place in every access token. */
const MAX_TEXT_LENGTH = 512;

/** Reads the claims of a verified ID token (OpenID Connect Core, section 5.1). */
export function readProviderProfile(claims: JWTPayload & { readonly sub: string }): ProviderProfile {
  const text = (claim: string) => {
    const value = claims[claim];
    return typeof value === 'string' && value.length <= MAX_TEXT_LENGTH ? value.trim().toWellFormed() : '';
  };
  const email = text('email');
  const emailVerified = claims['email_verified'] === true || claims['email_verified'] === 'true';
  const name = text('name') || [text('given_name'), text('family_name')].filter(Boolean).join(' ');
  const picture = text('picture');
  const domain = text('hd');
  return {
    provider: 'google',
    subject: claims.sub,
    email,
    emailVerified,
    data: {
      iss: claims.iss,
      sub: claims.sub,
      provider_id: claims.sub,
      ...(email ? { email } : {}),
      email_verified: emailVerified,
      phone_verified: false,
      ...(name ? { name, full_name: name } : {}),
      ...(picture.startsWith('https://') ? { picture, avatar_url: picture } : {}),
      ...(domain ? { custom_claims: { hd: domain } } : {}),
    },
  };
}
