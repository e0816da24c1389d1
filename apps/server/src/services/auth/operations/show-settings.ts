import type { Operation } from '../auth-context.ts';

/** The providers the platform knows; none of them is offered here. */
const OTHER_PROVIDERS = [
  'anonymous_users',
  'apple',
  'azure',
  'bitbucket',
  'discord',
  'facebook',
  'figma',
  'fly',
  'github',
  'gitlab',
  'kakao',
  'keycloak',
  'linkedin',
  'linkedin_oidc',
  'notion',
  'slack',
  'slack_oidc',
  'snapchat',
  'spotify',
  'twitch',
  'twitter',
  'workos',
  'zoom',
];

/** GET /settings: what clients may offer. */
export const showSettings: Operation = async ({ settings }) => ({
  body: {
    external: {
      ...Object.fromEntries(OTHER_PROVIDERS.map((provider) => [provider, false])),
      google: settings.google !== undefined,
      email: true,
      phone: false,
    },
    disable_signup: !settings.signUpEnabled,
    mailer_autoconfirm: !settings.confirmEmail,
    phone_autoconfirm: false,
    sms_provider: '',
    saml_enabled: false,
  },
});
