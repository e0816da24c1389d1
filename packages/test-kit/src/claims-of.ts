import type { TestUser } from './create-user.ts';

/** The claims of a signed-in user's access token, as far as policies and the table API read them. */
export function claimsOf(user: TestUser): Readonly<Record<string, unknown>> {
  return {
    aud: 'authenticated',
    sub: user.id,
    email: user.email,
    role: 'authenticated',
    aal: 'aal1',
    is_anonymous: false,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: {},
  };
}
