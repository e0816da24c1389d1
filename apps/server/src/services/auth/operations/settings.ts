import { PLATFORM_PROVIDERS } from '../../../kernel/auth-config/platform-providers.ts';
import type { Operation } from '../auth-context.ts';
import { AuthError, type AuthErrorCode, type AuthErrorDetails } from '../auth-error.ts';
import { authenticate, requireOperator } from '../authenticate.ts';

/** GET /settings: what clients may offer. */
export const showSettings: Operation = async ({ settings, providers }) => ({
  body: {
    external: {
      ...Object.fromEntries(PLATFORM_PROVIDERS.map((provider) => [provider, false])),
      ...providers.offered,
      anonymous_users: settings.anonymousSignInsEnabled,
      email: true,
      phone: settings.phoneEnabled,
    },
    disable_signup: !settings.signUpEnabled,
    mailer_autoconfirm: !settings.confirmEmail,
    phone_autoconfirm: !settings.confirmPhone,
    sms_provider: settings.twilio ? 'twilio' : '',
    passkeys_enabled: settings.passkeysEnabled,
    saml_enabled: settings.saml !== undefined,
  },
});

/** The version of the platform's service whose protocol this one speaks. */
const PROTOCOL_VERSION = 'v2.189.0';

/** GET /health */
export const showHealth: Operation = async () => ({
  body: {
    version: PROTOCOL_VERSION,
    name: 'GoTrue',
    description: 'GoTrue is a user registration and authentication API',
  },
});

/** GET /.well-known/jwks.json: the public keys, so that anybody can verify our tokens without asking. */
export const showJwks: Operation = async ({ keyring }) => ({
  headers: { 'cache-control': 'public, max-age=600' },
  body: keyring.jwks(),
});

/** GET /admin/custom-providers: none, for providers are in the operator's own file. */
export const listCustomProviders: Operation = async (context, request) => {
  requireOperator(context, request);
  return { body: { providers: [] } };
};

type RefusalOptions = {
  /** Who must be asking to be told even this much: the platform checks that first. */
  readonly of?: 'anyone' | 'person' | 'operator';
} & AuthErrorDetails;

/** An endpoint of the platform that is switched off here: it answers the platform's own refusal. */
export function refuse(code: AuthErrorCode, { of = 'anyone', ...details }: RefusalOptions = {}): Operation {
  return async (context, request) => {
    if (of === 'person') await authenticate(context, request);
    if (of === 'operator') requireOperator(context, request);
    throw new AuthError(code, details);
  };
}
