import { randomUUID } from 'node:crypto';
import * as client from 'openid-client';
import { asAuthAdmin } from '../../../kernel/database.ts';
import type { Answer, AuthContext, AuthRequest } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { redirectFromProviderWithError } from '../present/present-redirect.ts';
import { readChallenge } from '../read-challenge.ts';
import { resolveRedirect } from '../resolve-redirect.ts';
import { startOAuthFlow } from '../stores/flows.ts';
import { setFlowCookie } from './flow-cookie.ts';
import { buildGoogleAddress } from './google-code.ts';

/**
 * Sends a browser to Google, or tells a script where to send it (`skip_http_redirect`).
 * @param linkTo the account that asks for a further identity.
 * @throws validation_failed; unexpected_failure (503) when Google cannot be reached and a script asked
 */
export async function startGoogleFlow(
  context: AuthContext,
  request: AuthRequest,
  linkTo?: string,
): Promise<Answer> {
  const { query } = request;
  const { provider, code_challenge = '', code_challenge_method = '' } = query;
  if (!context.google || provider?.toLowerCase() !== 'google')
    throw new AuthError('validation_failed', {
      message: 'Unsupported provider: provider is not enabled',
    });
  const challenge = readChallenge({ code_challenge, code_challenge_method });
  const redirectTo = resolveRedirect(context.settings, request);
  const asksForAddress = query['skip_http_redirect'] === 'true';
  const flow = { state: randomUUID(), verifier: client.randomPKCECodeVerifier() };
  try {
    const address = await buildGoogleAddress(context, context.google, request, flow).catch(cannotReach);
    await asAuthAdmin(context.db, 'start a flow at another provider', (tx) =>
      startOAuthFlow(tx, { ...flow, challenge, redirectTo, linkTo }, context.now()),
    );
    const headers = {
      'set-cookie': setFlowCookie(context, flow.state, context.settings.authCodeLifetime),
      'cache-control': 'no-store',
    };
    if (asksForAddress) return { headers, body: { url: address.href } };
    return { status: 302, headers: { ...headers, location: address.href } };
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    context.logger.error({ err: error.cause }, 'auth: Google cannot be reached');
    if (asksForAddress) throw error;
    // A person is waiting in front of this answer: the application tells it in its own words.
    return redirectFromProviderWithError(redirectTo, error, challenge !== undefined);
  }
}

function cannotReach(cause: unknown): never {
  throw new AuthError('unexpected_failure', { status: 503, message: 'Unable to reach the provider', cause });
}
