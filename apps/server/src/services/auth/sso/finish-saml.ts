import { isUuid } from '@linkoteca/domain/uuid';
import { asAuthAdmin } from '../../../kernel/database.ts';
import type { Answer, AuthContext, AuthRequest, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { readEmail, withForm } from '../body-fields.ts';
import { deviceOf } from '../devices.ts';
import { tellUserCreated } from '../hooks/after-user-created.ts';
import {
  redirectFromProviderWithError,
  redirectWithCode,
  redirectWithSession,
} from '../present/present-redirect.ts';
import { presentSession } from '../present/present-session.ts';
import { recordAct } from '../stores/audit-log.ts';
import { finishOAuthFlow } from '../stores/flows.ts';
import { openSession } from '../stores/sessions.ts';
import { findUser } from '../stores/users.ts';
import { loadIdentityProvider } from './load-identity-provider.ts';
import { type Asserted, type AssertionFault, readAssertion } from './read-assertion.ts';
import { isWayOfBrowser, setRelayCookie } from './relay-cookie.ts';
import { type RelayState, takeRelayState } from './relay-states.ts';
import type { ServiceProvider } from './service-provider.ts';
import { askBeforeSsoSignUp, profileOf, type SsoProfile, signInBySso } from './sign-in-by-sso.ts';
import { findSsoProvider, type SsoProvider } from './sso-store.ts';
import { requireSaml } from './start-sso.ts';

/** GET /sso/saml/metadata: what identity providers have to know of us. @throws saml_provider_disabled */
export const showSamlMetadata: Operation = async (context) => ({
  headers: { 'content-type': 'application/xml', 'cache-control': 'public, max-age=600' },
  body: requireSaml(context).metadata,
});

const FOUND = 302;

/**
 * POST /sso/saml/acs: a browser comes back from an identity provider. It goes on to where it was sent from, with a code, a session in the fragment,
 * or an error. An answer to no question of ours is refused: a stranger could have it posted by anybody's browser.
 */
export const finishSaml: Operation = async (context, plain) => {
  const own = requireSaml(context);
  const { RelayState: relayState = '', SAMLResponse: response = '' } = withForm(plain).query;
  const state = isUuid(relayState)
    ? await asAuthAdmin(context.db, 'take a sign-in by an organisation up again', (tx) =>
        takeRelayState(tx, relayState),
      )
    : undefined;
  if (!state)
    return redirectFromProviderWithError(
      context.settings.siteUrl,
      new AuthError('saml_relay_state_not_found'),
      true,
    );
  const to = state.redirectTo ?? context.settings.siteUrl;
  try {
    validateState(context, plain, state, relayState);
    const { provider, asserted } = await readAnswer(context, own, state, response);
    const answer = await finish(context, plain, { ...state, to }, profileOf(provider, asserted));
    return withClearedCookie(context, relayState, answer);
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    if (error.details.cause)
      context.logger.warn({ err: error.details.cause }, 'auth: a SAML answer was refused');
    return withClearedCookie(context, relayState, redirectFromProviderWithError(to, error, true));
  }
};

/** @throws saml_relay_state_expired, saml_relay_state_not_found */
function validateState(
  context: AuthContext,
  request: AuthRequest,
  { createdAt, flowId }: RelayState,
  relayState: string,
): void {
  const lifetime = (context.settings.saml?.relayStateLifetime ?? 0) * 1000;
  if (context.now().getTime() >= createdAt.getTime() + lifetime)
    throw new AuthError('saml_relay_state_expired');
  if (flowId === null && !isWayOfBrowser(request, relayState))
    throw new AuthError('saml_relay_state_not_found');
}

const FAULTS = {
  invalid: ['validation_failed', 'SAML Assertion is not valid'],
  no_user_id: [
    'saml_assertion_no_user_id',
    'SAML Assertion did not contain a persistent Subject Identifier attribute or Subject NameID uniquely identifying this user',
  ],
  no_email: ['saml_assertion_no_email', 'SAML Assertion does not contain an email address'],
} as const satisfies Record<AssertionFault, readonly [string, string]>;

/** @throws validation_failed, saml_assertion_no_user_id, saml_assertion_no_email, saml_idp_not_found, sso_provider_disabled */
async function readAnswer(
  context: AuthContext,
  own: ServiceProvider,
  { providerId, requestId }: RelayState,
  response: string,
): Promise<{ readonly provider: SsoProvider; readonly asserted: Asserted }> {
  const provider = await asAuthAdmin(context.db, 'find an organisation', (tx) =>
    findSsoProvider(tx, { id: providerId }),
  );
  if (!provider) throw new AuthError('saml_idp_not_found');
  const idp = await loadIdentityProvider(context, provider);
  const profile = await verify(own, idp, response);
  const { acsUrl } = own;
  const { entityId, attributeMapping: mapping } = provider;
  const asserted = readAssertion(profile, { acsUrl, requestId, entityId, mapping });
  if (typeof asserted === 'string') {
    const [code, message] = FAULTS[asserted];
    throw new AuthError(code, { message });
  }
  return { provider, asserted };
}

async function verify(own: ServiceProvider, idp: Parameters<ServiceProvider['verify']>[0], response: string) {
  const refuse = (cause: unknown) =>
    new AuthError('validation_failed', { message: 'SAML Assertion is not valid', cause });
  // Entities could stand for anything, without end.
  if (/<!DOCTYPE|<!ENTITY/i.test(Buffer.from(response, 'base64').toString('utf8')))
    throw refuse(new Error('a document type'));
  try {
    const { profile } = await own.verify(idp, response);
    if (!profile) throw new Error('there is nobody in it');
    return profile;
  } catch (cause) {
    throw refuse(cause);
  }
}

/** Gives the client what it came for: a code, or a session. */
async function finish(
  context: AuthContext,
  request: AuthRequest,
  { flowId, to }: RelayState & { readonly to: string },
  profile: SsoProfile,
): Promise<Answer> {
  const email = readEmail(profile.email);
  const mayOpen = await askBeforeSsoSignUp(context, request, { ...profile, email });
  const { user, isNew, code, opened } = await asAuthAdmin(
    context.db,
    'sign in by an organisation',
    async (tx) => {
      const now = context.now();
      const rules = { signUpEnabled: context.settings.signUpEnabled, mayOpen };
      const entered = await signInBySso(tx, rules, { ...profile, email }, now);
      const did = { actor: entered.user.id, traits: { provider: profile.provider } };
      if (entered.isNew) await recordAct(tx, request, { action: 'user_signedup', ...did }, now);
      if (flowId !== null) {
        const flow = { state: flowId, userId: entered.user.id, accessToken: '', refreshToken: undefined };
        return { ...entered, code: await finishOAuthFlow(tx, flow, now), opened: undefined };
      }
      const { provider } = profile;
      const opening = {
        userId: entered.user.id,
        method: 'sso/saml',
        provider,
        device: deviceOf(request),
      } as const;
      const opened = await openSession(tx, opening, now);
      const user = (await findUser(tx, { id: entered.user.id })) ?? entered.user;
      return { ...entered, user, code: undefined, opened };
    },
  );
  if (isNew) tellUserCreated(context, request, user);
  if (code !== undefined) return redirectWithCode(to, code, FOUND);
  if (!opened) throw new AuthError('saml_relay_state_expired');
  return redirectWithSession(to, await presentSession(context, user, opened), {}, FOUND);
}

function withClearedCookie(context: AuthContext, relayState: string, answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, 'set-cookie': setRelayCookie(context, relayState, 0) } };
}
