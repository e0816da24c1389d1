import { isUuid } from '@linkoteca/domain/uuid';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { Answer, AuthContext, AuthRequest, Operation } from '../auth-context.ts';
import { AuthError, OAuthError } from '../auth-error.ts';
import { withForm } from '../body-fields.ts';
import { deviceOf } from '../devices.ts';
import { tellUserCreated } from '../hooks/after-user-created.ts';
import { notifyChange } from '../notices/notify-change.ts';
import {
  redirectFromProviderWithError,
  redirectWithCode,
  redirectWithSession,
} from '../present/present-redirect.ts';
import { presentSession } from '../present/present-session.ts';
import {
  clearFlowCookie,
  exchangeProviderCode,
  isFlowOfBrowser,
  startProviderFlow,
} from '../providers/flow.ts';
import type { ProviderProfile, ProviderTokens } from '../providers/provider.ts';
import {
  askBeforeProviderSignUp,
  authenticateToLink,
  linkToAccount,
  signInByProvider,
} from '../providers/sign-in.ts';
import { recordAct } from '../stores/audit-log.ts';
import { finishOAuthFlow, isFlowKept, type OAuthFlow, takeOAuthFlow } from '../stores/flows.ts';
import { type OpenedSession, openSession } from '../stores/sessions.ts';
import { findUser, type UserRow } from '../stores/users.ts';

/** GET and POST /authorize: a browser leaves for another provider (protocol note, section 1.4). A form says what a query would. */
export const authorize: Operation = (context, request) => startProviderFlow(context, withForm(request));

/** GET /user/identities/authorize: a signed-in person adds another provider to the account. @throws manual_linking_disabled, insufficient_aal */
export const authorizeIdentity: Operation = async (context, request) => {
  const { user } = await authenticateToLink(context, request);
  return startProviderFlow(context, request, user.id);
};

const FOUND = 302;

/**
 * GET and POST /callback: a browser comes back from another provider. It goes on to where its flow was started from, with a code (the
 * client then holds the verifier), a session in the fragment, or an error in query and fragment.
 */
export const returnFromProvider: Operation = async (context, plain) => {
  if (!context.providers.isAnyOffered) throw new AuthError('bad_oauth_callback');
  // Some providers send their answer as a form; the names are the same.
  const request = withForm(plain);
  const { state } = request.query;
  const flow = isUuid(state)
    ? await asAuthAdmin(context.db, 'take a flow up again', (tx) => takeOAuthFlow(tx, state))
    : undefined;
  const provider = flow && context.providers.find({ name: flow.provider });
  // Nobody knows where a stranger's state would have led: home.
  if (!isUuid(state) || !flow || !provider)
    return redirectFromProviderWithError(
      context.settings.siteUrl,
      new AuthError(state ? 'bad_oauth_state' : 'bad_oauth_callback'),
      true,
    );
  try {
    const { verifier } = validateFlow(context, request, flow, state);
    const signedIn = await exchangeProviderCode(context, provider, request, { state, verifier });
    return withClearedCookie(context, state, await finish(context, request, { ...flow, state }, signedIn));
  } catch (error) {
    if (!(error instanceof AuthError || error instanceof OAuthError)) throw error;
    return withClearedCookie(context, state, redirectFromProviderWithError(flow.redirectTo, error, true));
  }
};

/** @throws bad_oauth_state, or in the provider's own words what it refused */
function validateFlow(
  context: AuthContext,
  request: AuthRequest,
  flow: OAuthFlow,
  state: string,
): { readonly verifier: string } {
  const { verifier, startedAt } = flow;
  const age = context.now().getTime() - startedAt.getTime();
  if (verifier === undefined || age >= context.settings.authCodeLifetime * 1000)
    throw new AuthError('bad_oauth_state');
  const bound = !flow.challenged || flow.linkTo !== undefined;
  if (bound && !isFlowOfBrowser(request, state)) throw new AuthError('bad_oauth_state');
  const { error, error_description: description = '' } = request.query;
  if (error !== undefined) throw OAuthError.ofProvider(error, description);
  if (!request.query['code']) throw new AuthError('bad_oauth_callback');
  return { verifier };
}

type Outcome = { readonly user: UserRow /** Its account was opened just now. */; readonly isNew: boolean } & (
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'session'; readonly opened: OpenedSession }
);

type SignedInAtProvider = { readonly profile: ProviderProfile; readonly tokens: ProviderTokens };

/** Gives the client what it came for: a code, or a session. */
async function finish(
  context: AuthContext,
  request: AuthRequest,
  flow: OAuthFlow & { readonly state: string },
  { profile, tokens }: SignedInAtProvider,
): Promise<Answer> {
  const mayOpen = flow.linkTo === undefined && (await askBeforeProviderSignUp(context, request, profile));
  const outcome = await asAuthAdmin(context.db, 'sign in by another provider', (tx) =>
    openAccount(tx, context, request, { ...flow, mayOpen }, { profile, tokens }),
  );
  const { user } = outcome;
  if (outcome.isNew) tellUserCreated(context, request, user);
  if (flow.linkTo !== undefined)
    notifyChange(context, { kind: 'identity_linked', user, provider: profile.provider });
  if (outcome.kind === 'code') return redirectWithCode(flow.redirectTo, outcome.code, FOUND);
  const session = await presentSession(context, outcome.user, outcome.opened);
  const { accessToken, refreshToken } = tokens;
  const extra = {
    provider_token: accessToken,
    ...(refreshToken === undefined ? {} : { provider_refresh_token: refreshToken }),
  };
  return redirectWithSession(flow.redirectTo, session, extra, FOUND);
}

async function openAccount(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  flow: OAuthFlow & { readonly state: string; readonly mayOpen: boolean },
  { profile, tokens }: SignedInAtProvider,
): Promise<Outcome> {
  const now = context.now();
  let isNew = false;
  const onOpened = () => {
    isNew = true;
  };
  const rules = { ...context.settings, mayOpen: flow.mayOpen, onOpened };
  const user =
    flow.linkTo === undefined
      ? await signInByProvider(tx, rules, profile, now)
      : await linkToAccount(tx, { userId: flow.linkTo, profile }, now);
  const did = { actor: user.id, traits: { provider: profile.provider } };
  if (isNew) await recordAct(tx, request, { action: 'user_signedup', ...did }, now);
  if (flow.linkTo !== undefined) await recordAct(tx, request, { action: 'identity_linked', ...did }, now);
  if (flow.challenged) {
    const code = await finishOAuthFlow(tx, { state: flow.state, userId: user.id, ...tokens }, now);
    if (code === undefined) throw new AuthError('bad_oauth_state');
    return { kind: 'code', code, user, isNew };
  }
  // Asked under the account's lock: what was ended since the person came back is over.
  if (flow.linkTo !== undefined && !(await isFlowKept(tx, flow.state)))
    throw new AuthError('bad_oauth_state');
  const opening = {
    userId: user.id,
    method: 'oauth',
    provider: profile.provider,
    device: deviceOf(request),
  } as const;
  const opened = await openSession(tx, opening, now);
  return { kind: 'session', isNew, user: (await findUser(tx, { id: user.id })) ?? user, opened };
}

function withClearedCookie(context: AuthContext, state: string, answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, 'set-cookie': clearFlowCookie(context, state) } };
}
