/** What would change who gets in, and is not followed yet: any other value than the one that is so ends the start. */
export const FIXED_KEYS: readonly { readonly path: string; readonly value: string }[] = [
  { path: 'auth.enabled', value: 'true' },
  { path: 'auth.enable_refresh_token_rotation', value: 'true' },
  { path: 'auth.email.enable_signup', value: 'true' },
  { path: 'auth.sms.enable_signup', value: 'false' },
  ...[
    'before_user_created',
    'custom_access_token',
    'mfa_verification_attempt',
    'password_verification_attempt',
  ].map((hook) => ({ path: `auth.hook.${hook}.enabled`, value: 'false' })),
];
