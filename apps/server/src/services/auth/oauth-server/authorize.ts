import { isUuid } from '@linkoteca/domain/uuid';
import { asAuthAdmin } from '../../../kernel/database.ts';
import type { AuthContext, Operation } from '../auth-context.ts';
import { AuthError, OAuthError } from '../auth-error.ts';
import { insertAuthorization } from './authorization-store.ts';
import { findClient, type OAuthClient } from './client-store.ts';
import { issuerOf } from './metadata.ts';
import { addParameters, isRegistered } from './redirect-uri.ts';
import { DEFAULT_SCOPE, readScopes } from './scopes.ts';

type Query = Readonly<Record<string, string>>;

/** What a program asks for, once it is known who asks and where the answer goes. */
type Asked =
  | {
      readonly ok: true;
      readonly scope: string;
      readonly challenge: string;
      readonly nonce: string | undefined;
      readonly resource: string | undefined;
    }
  | { readonly ok: false; readonly error: AskingFault; readonly description: string };

/** RFC 6749, section 4.1.2.1; RFC 8707, section 2. */
type AskingFault = 'invalid_request' | 'invalid_scope' | 'invalid_target' | 'unsupported_response_type';

/**
 * GET /oauth/authorize: a program sends a person here (OAuth 2.1, section 4.1.1). Whoever it is answers on the page of the consent.
 * Only what concerns the program or its address is told here: nobody is sent to an address that was not registered.
 * @throws validation_failed, oauth_client_not_found (400); what a program asked for in the wrong way, if nobody vouches for it
 */
export const authorizeProgram: Operation = async (context, { query }) => {
  const { settings, db } = context;
  const client = await loadClient(context, query['client_id'] ?? '');
  const { redirect_uri: redirectUri = '', state } = query;
  if (redirectUri === '') throw refuse('redirect_uri is required');
  if (!isRegistered(client.redirectUris, redirectUri)) throw refuse('invalid redirect_uri');
  const asked = readAsked(query, settings.siteUrl);
  if (!asked.ok) {
    // Anybody may have registered it: nobody is led there without having been asked (RFC 9700, section 4.11.2).
    if (client.registrationType === 'dynamic') throw new OAuthError(asked.error, asked.description);
    const answer = {
      error: asked.error,
      error_description: asked.description,
      state,
      iss: issuerOf(settings),
    };
    return redirect(addParameters(redirectUri, answer));
  }
  const now = context.now();
  const expiresAt = new Date(now.getTime() + settings.oauthAuthorizationLifetime * 1000);
  const id = await asAuthAdmin(db, 'keep what a program asks for', (tx) =>
    insertAuthorization(tx, { ...asked, clientId: client.id, redirectUri, state, expiresAt }, now),
  );
  return redirect(`${settings.siteUrl}${settings.oauthConsentPath}?authorization_id=${id}`);
};

async function loadClient({ db }: AuthContext, id: string): Promise<OAuthClient> {
  if (id === '') throw refuse('client_id is required');
  if (!isUuid(id)) throw refuse('invalid client_id format');
  const client = await asAuthAdmin(db, 'find a program', (tx) => findClient(tx, id));
  if (!client) throw new AuthError('oauth_client_not_found', { status: 400, message: 'invalid client_id' });
  return client;
}

function refuse(message: string): AuthError {
  return new AuthError('validation_failed', { message });
}

function redirect(location: string) {
  return { status: 302, headers: { location, 'referrer-policy': 'no-referrer' } };
}

const MAX_STATE_LENGTH = 4096;
const MAX_NONCE_LENGTH = 255;
const S256_CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

function readAsked(query: Query, siteUrl: string): Asked {
  const { response_type: type, state = '', nonce = '', resource, code_challenge: challenge = '' } = query;
  if (type !== 'code') return fault('unsupported_response_type', 'response_type must be code');
  if (state.length > MAX_STATE_LENGTH) return fault('invalid_request', 'state is too long');
  if (nonce.length > MAX_NONCE_LENGTH) return fault('invalid_request', 'nonce is too long');
  // Without a challenge, or with one that shows the verifier, whoever sees the code has the tokens (OAuth 2.1, section 7.5).
  if (query['code_challenge_method'] !== 'S256' || !S256_CHALLENGE.test(challenge))
    return fault('invalid_request', 'PKCE is required: code_challenge with code_challenge_method S256');
  const scopes = readScopes(query['scope']?.trim() || DEFAULT_SCOPE);
  if (!scopes || scopes.length === 0)
    return fault('invalid_scope', 'scope names something that is not known here');
  if (resource !== undefined && !isOwnResource(resource, siteUrl))
    return fault('invalid_target', 'resource is no address of this server');
  return { ok: true, scope: scopes.join(' '), challenge, nonce: nonce === '' ? undefined : nonce, resource };
}

function fault(error: AskingFault, description: string): Asked {
  return { ok: false, error, description };
}

const MAX_RESOURCE_LENGTH = 2048;

/** RFC 8707, section 2: an absolute address without a fragment. Tokens of ours are good for nobody else. */
function isOwnResource(resource: string, siteUrl: string): boolean {
  if (resource.length > MAX_RESOURCE_LENGTH || resource.includes('#') || !URL.canParse(resource))
    return false;
  const url = new URL(resource);
  return url.origin === new URL(siteUrl).origin && url.username === '' && url.password === '';
}
