import { readSecretEnd } from './ending-secrets.ts';
import { openIdProvider } from './openid.ts';

/**
 * Apple: OpenID Connect without PKCE. Where it is asked for a name it posts its answer, with the name beside the token, and that only the
 * first time a person comes. The secret is a JWT that the operator signs with a key of Apple's, and lasts for six months at most.
 * (Source: Apple, "Incorporating Sign in with Apple into other platforms".)
 */
export const apple = openIdProvider({
  name: 'apple',
  issuer: 'https://appleid.apple.com',
  hasPlatformNamesOnly: true,
  scopes: ['openid', 'email', 'name'],
  parameters: { response_mode: 'form_post' },
  hasPkce: false,
  postsAnswer: true,
  readSecretEnd,
  customClaims: ['is_private_email'],
  readAnswer: (returned) => readName(returned.searchParams.get('user') ?? ''),
});

/** Of the posted answer the name alone: unlike the token it is not signed, and a person may say it as they like. */
function readName(user: string): { readonly given_name?: string; readonly family_name?: string } {
  try {
    const { name } = JSON.parse(user) as {
      readonly name?: { readonly firstName?: unknown; readonly lastName?: unknown };
    };
    const { firstName, lastName } = name ?? {};
    return {
      ...(typeof firstName === 'string' ? { given_name: firstName } : {}),
      ...(typeof lastName === 'string' ? { family_name: lastName } : {}),
    };
  } catch {
    return {};
  }
}
