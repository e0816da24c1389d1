import { randomBytes, randomUUID } from 'node:crypto';
import { isUuid } from '@linkoteca/domain/uuid';
import { asAuthAdmin } from '../../../kernel/database.ts';
import type { Answer, AuthContext, AuthRequest } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { readChallenge } from '../code-challenge.ts';
import { redirectFromProviderWithError } from '../present/present-redirect.ts';
import { resolveRedirect } from '../resolve-redirect.ts';
import { startOAuthFlow } from '../stores/flows.ts';
import type { FlowSecrets, Provider } from './provider.ts';

/** What is ours to say; a caller's own parameter of such a name is dropped. */
const RESERVED: readonly string[] = [
  // Words between our clients and us.
  'provider',
  'scopes',
  'redirect_to',
  'code_challenge',
  'code_challenge_method',
  'skip_http_redirect',
  'invite_token',
  'apikey',
  // Words between us and the provider.
  'client_id',
  'client_secret',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'request',
  'request_uri',
  'registration',
  'claims',
];

/**
 * Sends a browser to a provider, or tells a script where to send it (`skip_http_redirect`).
 * @param linkTo the account that asks for a further identity.
 * @throws validation_failed; unexpected_failure (503) when the provider cannot be reached and a script asked
 */
export async function startProviderFlow(
  context: AuthContext,
  request: AuthRequest,
  linkTo?: string,
): Promise<Answer> {
  const { query } = request;
  const { code_challenge = '', code_challenge_method = '' } = query;
  const provider = context.providers.find({ name: (query['provider'] ?? '').toLowerCase() });
  if (!provider)
    throw new AuthError('validation_failed', {
      message: 'Unsupported provider: provider is not enabled',
    });
  const challenge = readChallenge({ code_challenge, code_challenge_method });
  const redirectTo = resolveRedirect(context.settings, request);
  const asksForAddress = query['skip_http_redirect'] === 'true';
  const flow = { state: randomUUID(), verifier: randomBytes(32).toString('base64url') };
  try {
    const address = await buildAuthorizeUrl(context, provider, request, flow);
    const started = { ...flow, provider: provider.name, challenge, redirectTo, linkTo };
    await asAuthAdmin(context.db, 'start a flow at another provider', (tx) =>
      startOAuthFlow(tx, started, context.now()),
    );
    const headers = {
      'set-cookie': setFlowCookie(context, flow.state, context.settings.authCodeLifetime, provider),
      'cache-control': 'no-store',
    };
    if (asksForAddress) return { headers, body: { url: address.href } };
    return { status: 302, headers: { ...headers, location: address.href } };
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    context.logger.error({ err: error.cause }, `auth: ${provider.name} cannot be reached`);
    if (asksForAddress) throw error;
    // A person is waiting in front of this answer: the application tells it in its own words.
    return redirectFromProviderWithError(redirectTo, error, challenge !== undefined);
  }
}

/** Parameters that are not ours are passed on. */
async function buildAuthorizeUrl(
  context: AuthContext,
  provider: Provider,
  { query }: Pick<AuthRequest, 'query'>,
  flow: FlowSecrets,
): Promise<URL> {
  const parameters = Object.fromEntries(Object.entries(query).filter(([name]) => !RESERVED.includes(name)));
  // Our clients separate them by spaces, older ones by commas.
  const scopes = (query['scopes'] ?? '').split(/[\s,]+/).filter((scope) => scope !== '');
  try {
    return await provider.authorizeUrl({
      ...flow,
      redirectUri: callbackUrl(context, provider),
      scopes,
      parameters,
    });
  } catch (cause) {
    throw new AuthError('unexpected_failure', {
      status: 503,
      message: 'Unable to reach the provider',
      cause,
    });
  }
}

/** Exchanges the code a browser came back with. @throws unexpected_failure; the reason is in the log */
export async function exchangeProviderCode(
  context: AuthContext,
  provider: Provider,
  { query }: Pick<AuthRequest, 'query'>,
  flow: FlowSecrets,
): ReturnType<Provider['exchangeCode']> {
  try {
    const returned = new URL(`${callbackUrl(context, provider)}?${new URLSearchParams(query)}`);
    return await provider.exchangeCode(returned, flow);
  } catch (cause) {
    context.logger.warn({ err: cause }, `auth: a code of ${provider.name} could not be exchanged`);
    throw new AuthError('unexpected_failure', {
      message: 'Unable to exchange external code',
      cause,
    });
  }
}

/** Where providers send people back to; the operator registers it there. */
function callbackUrl({ settings }: Pick<AuthContext, 'settings'>, { redirectUri }: Provider): string {
  return redirectUri ?? `${settings.siteUrl}/auth/v1/callback`;
}

/**
 * A browser that leaves for the provider keeps a cookie of its flow. Without it, a stranger could sign in at the provider
 * himself and have somebody else's browser open the way back: that browser would then be in the stranger's account (RFC 6749,
 * section 10.12), or give its owner's identity to it. A flow with a code challenge needs none: its code is worth nothing elsewhere.
 */
function setFlowCookie(
  { settings }: Pick<AuthContext, 'settings'>,
  state: string,
  lifetime: number,
  provider?: Pick<Provider, 'postsAnswer'>,
): string {
  const isSecure = settings.siteUrl.startsWith('https:');
  // With a form from elsewhere browsers send only cookies that are for all sites; what this one says is of no use to any.
  const sameSite = isSecure && provider?.postsAnswer ? 'None' : 'Lax';
  return `${flowCookieName(state)}=1; Path=/auth/v1/callback; Max-Age=${lifetime}; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`;
}

export function clearFlowCookie(context: Pick<AuthContext, 'settings'>, state: string): string {
  return setFlowCookie(context, state, 0);
}

/**
 * Whether the flow began where it ends. Asked of browsers alone: they always say that they navigate, and no page can keep them
 * from saying it; whoever is no browser cannot be led astray.
 */
export function isFlowOfBrowser({ headers }: Pick<AuthRequest, 'headers'>, state: string): boolean {
  if (headers['sec-fetch-mode'] !== 'navigate') return true;
  const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  return isUuid(state) && cookies.includes(`${flowCookieName(state)}=1`);
}

function flowCookieName(state: string): string {
  return `oauth-flow-${state}`;
}
