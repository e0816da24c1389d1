import type { AuthRequest, Operation } from './auth-context.ts';
import type { AuthSettings } from './auth-settings.ts';
import { adminDeleteFactor, adminListFactors, adminUpdateFactor } from './factors/admin-factors.ts';
import { challengeFactor } from './factors/challenge-factor.ts';
import { enrollFactor } from './factors/enroll-factor.ts';
import {
  askFactorReset,
  cancelFactorReset,
  finishFactorReset,
  showFactorReset,
} from './factors/factor-reset.ts';
import {
  generateRecoveryCodes,
  regenerateRecoveryCodes,
  removeRecoveryCodes,
  showRecoveryCodes,
} from './factors/recovery-codes.ts';
import { unenrollFactor } from './factors/unenroll-factor.ts';
import { verifyFactor } from './factors/verify-factor.ts';
import { verifyRecoveryCode } from './factors/verify-recovery-code.ts';
import { adminGenerateLink, invite } from './operations/admin-generate-link.ts';
import {
  adminCreateUser,
  adminDeleteUser,
  adminGetUser,
  adminListUsers,
  adminUpdateUser,
} from './operations/admin-users.ts';
import { authorize, authorizeIdentity, returnFromProvider } from './operations/authorize.ts';
import { grantToken } from './operations/grant-token.ts';
import { logOut, unlinkIdentity } from './operations/log-out.ts';
import { getUser, reauthenticate, updateUser } from './operations/own-user.ts';
import { recover } from './operations/recover.ts';
import { resend } from './operations/resend.ts';
import { sendOtp } from './operations/send-otp.ts';
import { listCustomProviders, refuse, showHealth, showJwks, showSettings } from './operations/settings.ts';
import { isAnonymousSignUp, signUp } from './operations/sign-up.ts';
import { verifyCode } from './operations/verify-code.ts';
import { verifyLink } from './operations/verify-link.ts';
import { adminDeletePasskey, adminListPasskeys } from './passkeys/admin-passkeys.ts';
import { deleteOwnPasskey, listOwnPasskeys, renameOwnPasskey } from './passkeys/own-passkeys.ts';
import { beginPasskeyRegistration, registerPasskey } from './passkeys/register-passkey.ts';
import { beginPasskeySignIn, signInByPasskey } from './passkeys/sign-in-by-passkey.ts';
import { createOwnToken, deleteOwnToken, listOwnTokens } from './personal-tokens/own-tokens.ts';
import {
  adminCreateSsoProvider,
  adminDeleteSsoProvider,
  adminGetSsoProvider,
  adminListSsoProviders,
  adminUpdateSsoProvider,
} from './sso/admin-providers.ts';
import { finishSaml, showSamlMetadata } from './sso/finish-saml.ts';
import { startSso } from './sso/start-sso.ts';

export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly operation: Operation;
  /** Asked of whoever is no operator, where a captcha is configured (protocol note, section 1.5). */
  readonly captcha?: (request: AuthRequest) => boolean;
  /** Calls are counted per address, each of these names for itself. */
  readonly limit?: Limit | ((request: AuthRequest) => Limit | undefined);
};

type Limit =
  | 'signup'
  | 'token'
  | 'refresh'
  | 'recover'
  | 'resend'
  | 'otp'
  | 'verify'
  | 'user'
  | 'authorize'
  | 'callback'
  | 'oauth/authorize'
  | 'oauth/token'
  | 'factors'
  | 'passkeys'
  | 'sso';

const always = () => true;
/** Those without an address have a limit of their own. */
const limitOfSignUp = (request: AuthRequest) => (isAnonymousSignUp(request) ? undefined : 'signup');
/** Screens renew their sessions by themselves, wherever many people sit behind one address. */
const limitOfToken = ({ query }: AuthRequest) =>
  query['grant_type'] === 'refresh_token' ? 'refresh' : 'token';
const withPassword = ({ query }: AuthRequest) => query['grant_type'] === 'password';

/** Every endpoint of the protocol (section 1.3), those that are switched off included. */
export function listRoutes({ passkeysEnabled }: Pick<AuthSettings, 'passkeysEnabled'>): readonly Route[] {
  return [
    { method: 'POST', path: '/signup', operation: signUp, limit: limitOfSignUp, captcha: always },
    { method: 'POST', path: '/token', operation: grantToken, limit: limitOfToken, captcha: withPassword },
    { method: 'POST', path: '/otp', operation: sendOtp, limit: 'otp', captcha: always },
    { method: 'POST', path: '/magiclink', operation: sendOtp, limit: 'otp', captcha: always },
    { method: 'POST', path: '/recover', operation: recover, limit: 'recover', captcha: always },
    { method: 'POST', path: '/resend', operation: resend, limit: 'resend', captcha: always },
    { method: 'GET', path: '/verify', operation: verifyLink, limit: 'verify' },
    { method: 'POST', path: '/verify', operation: verifyCode, limit: 'verify' },
    { method: 'GET', path: '/user', operation: getUser },
    { method: 'PUT', path: '/user', operation: updateUser, limit: 'user' },
    { method: 'GET', path: '/reauthenticate', operation: reauthenticate },
    { method: 'POST', path: '/logout', operation: logOut },
    { method: 'GET', path: '/authorize', operation: authorize, limit: 'authorize' },
    { method: 'POST', path: '/authorize', operation: authorize, limit: 'authorize' },
    { method: 'GET', path: '/callback', operation: returnFromProvider, limit: 'callback' },
    { method: 'POST', path: '/callback', operation: returnFromProvider, limit: 'callback' },
    {
      method: 'GET',
      path: '/user/identities/authorize',
      operation: authorizeIdentity,
      limit: 'authorize',
    },
    { method: 'DELETE', path: '/user/identities/:identity_id', operation: unlinkIdentity, limit: 'user' },
    { method: 'GET', path: '/user/tokens', operation: listOwnTokens },
    { method: 'POST', path: '/user/tokens', operation: createOwnToken, limit: 'user' },
    { method: 'DELETE', path: '/user/tokens/:token_id', operation: deleteOwnToken, limit: 'user' },
    { method: 'GET', path: '/settings', operation: showSettings },
    { method: 'GET', path: '/health', operation: showHealth },
    { method: 'GET', path: '/.well-known/jwks.json', operation: showJwks },
    { method: 'GET', path: '/jwks', operation: showJwks },
    { method: 'POST', path: '/invite', operation: invite },
    { method: 'GET', path: '/admin/users', operation: adminListUsers },
    { method: 'POST', path: '/admin/users', operation: adminCreateUser },
    { method: 'GET', path: '/admin/users/:user_id', operation: adminGetUser },
    { method: 'PUT', path: '/admin/users/:user_id', operation: adminUpdateUser },
    { method: 'DELETE', path: '/admin/users/:user_id', operation: adminDeleteUser },
    { method: 'POST', path: '/admin/generate_link', operation: adminGenerateLink },
    ...listFactorRoutes(),
    ...listPasskeyRoutes(passkeysEnabled),
    ...listSsoRoutes(),
    ...listCustomProviderRoutes(),
  ];
}

function listFactorRoutes(): readonly Route[] {
  return [
    { method: 'POST', path: '/factors', operation: enrollFactor, limit: 'factors' },
    { method: 'POST', path: '/factors/:factor_id/challenge', operation: challengeFactor, limit: 'factors' },
    { method: 'POST', path: '/factors/:factor_id/verify', operation: verifyFactor, limit: 'factors' },
    { method: 'DELETE', path: '/factors/:factor_id', operation: unenrollFactor, limit: 'factors' },
    { method: 'GET', path: '/factors/recovery-codes', operation: showRecoveryCodes, limit: 'factors' },
    { method: 'POST', path: '/factors/recovery-codes', operation: generateRecoveryCodes, limit: 'factors' },
    { method: 'DELETE', path: '/factors/recovery-codes', operation: removeRecoveryCodes, limit: 'factors' },
    {
      method: 'POST',
      path: '/factors/recovery-codes/regenerate',
      operation: regenerateRecoveryCodes,
      limit: 'factors',
    },
    {
      method: 'POST',
      path: '/factors/recovery-codes/verify',
      operation: verifyRecoveryCode,
      limit: 'factors',
    },
    { method: 'GET', path: '/factors/reset', operation: showFactorReset, limit: 'factors' },
    { method: 'POST', path: '/factors/reset', operation: askFactorReset, limit: 'factors' },
    { method: 'DELETE', path: '/factors/reset', operation: cancelFactorReset, limit: 'factors' },
    { method: 'POST', path: '/factors/reset/finish', operation: finishFactorReset, limit: 'factors' },
    { method: 'GET', path: '/admin/users/:user_id/factors', operation: adminListFactors },
    { method: 'DELETE', path: '/admin/users/:user_id/factors/:factor_id', operation: adminDeleteFactor },
    { method: 'PUT', path: '/admin/users/:user_id/factors/:factor_id', operation: adminUpdateFactor },
  ];
}

/** Switched off, each says so. */
function listPasskeyRoutes(enabled: boolean): readonly Route[] {
  const limit = 'passkeys';
  const off = refuse('passkey_disabled');
  const routes: readonly Route[] = [
    { method: 'POST', path: '/passkeys/registration/options', operation: beginPasskeyRegistration, limit },
    { method: 'POST', path: '/passkeys/registration/verify', operation: registerPasskey, limit },
    {
      method: 'POST',
      path: '/passkeys/authentication/options',
      operation: beginPasskeySignIn,
      limit,
      captcha: always,
    },
    { method: 'POST', path: '/passkeys/authentication/verify', operation: signInByPasskey, limit },
    { method: 'GET', path: '/passkeys', operation: listOwnPasskeys, limit },
    { method: 'PATCH', path: '/passkeys/:passkey_id', operation: renameOwnPasskey, limit },
    { method: 'DELETE', path: '/passkeys/:passkey_id', operation: deleteOwnPasskey, limit },
    { method: 'GET', path: '/admin/users/:user_id/passkeys', operation: adminListPasskeys },
    { method: 'DELETE', path: '/admin/users/:user_id/passkeys/:passkey_id', operation: adminDeletePasskey },
  ];
  return enabled ? routes : routes.map(({ method, path }) => ({ method, path, operation: off }));
}

/** Switched off, each says so. */
function listSsoRoutes(): readonly Route[] {
  return [
    { method: 'POST', path: '/sso', operation: startSso, limit: 'sso', captcha: always },
    { method: 'GET', path: '/sso/saml/metadata', operation: showSamlMetadata },
    { method: 'POST', path: '/sso/saml/acs', operation: finishSaml, limit: 'sso' },
    { method: 'GET', path: '/admin/sso/providers', operation: adminListSsoProviders },
    { method: 'POST', path: '/admin/sso/providers', operation: adminCreateSsoProvider },
    { method: 'GET', path: '/admin/sso/providers/:idp_id', operation: adminGetSsoProvider },
    { method: 'PUT', path: '/admin/sso/providers/:idp_id', operation: adminUpdateSsoProvider },
    { method: 'DELETE', path: '/admin/sso/providers/:idp_id', operation: adminDeleteSsoProvider },
  ];
}

/** Providers that an operator adds while the service runs are switched off. */
function listCustomProviderRoutes(): readonly Route[] {
  const path = '/admin/custom-providers';
  const operation = refuse('custom_provider_not_found', { of: 'operator' });
  return [
    { method: 'GET', path, operation: listCustomProviders },
    { method: 'POST', path, operation: refuse('feature_disabled', { of: 'operator' }) },
    { method: 'GET', path: `${path}/:identifier`, operation },
    { method: 'PUT', path: `${path}/:identifier`, operation },
    { method: 'DELETE', path: `${path}/:identifier`, operation },
  ];
}
