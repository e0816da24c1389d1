import * as oauth from 'oauth4webapi';
import { discoverServer, registerClient, SCOPE } from './authorization-server.ts';
import { findLibraryOwner } from './library-owner.ts';
import type { Installation, Session } from './session-store.ts';

/** Programs must be registered by the operator here, and nobody has said under which id. */
export class NoClient extends Error {
  override readonly name = 'NoClient';
}

/** The key is unknown to the installation, or may not read the library. */
export class UnusableToken extends Error {
  override readonly name = 'UnusableToken';
}

/** The person closed the window or said 'not now'. */
export class NotAllowed extends Error {
  override readonly name = 'NotAllowed';
}

/**
 * Signs in at the installation's own pages: the authorization code flow with PKCE (OAuth 2.1).
 * @param given the program's id, where the person was told one; else the installation says it, or the extension registers itself.
 * @throws NoClient; NotAllowed; whatever the server does not do by the book.
 */
export async function signInByConsent(
  installation: Installation,
  given: string | null,
  { identity }: Pick<typeof chrome, 'identity'> = chrome,
): Promise<Session> {
  const server = await discoverServer(installation);
  const { metadata, options } = server;
  const redirectUri = identity.getRedirectURL();
  const id = given ?? installation.clientId ?? (await registerClient(server, redirectUri));
  if (id === null) throw new NoClient('programs do not register themselves here');
  const client = { client_id: id };
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const address = new URL(metadata.authorization_endpoint ?? '');
  address.search = String(
    new URLSearchParams({
      response_type: 'code',
      client_id: id,
      redirect_uri: redirectUri,
      scope: SCOPE,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }),
  );
  const answer = await identity.launchWebAuthFlow({ url: address.href, interactive: true }).catch((error) => {
    throw new NotAllowed('the window was closed', { cause: error });
  });
  const parameters = readAnswer(() =>
    oauth.validateAuthResponse(metadata, client, new URL(answer ?? ''), state),
  );
  const response = await oauth.authorizationCodeGrantRequest(
    metadata,
    client,
    oauth.None(),
    parameters,
    redirectUri,
    verifier,
    options,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(metadata, client, response);
  const userId = await findUser(installation, tokens.access_token);
  return {
    kind: 'oauth',
    userId,
    clientId: id,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token ?? '',
  };
}

function readAnswer(read: () => URLSearchParams): URLSearchParams {
  try {
    return read();
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError && error.error === 'access_denied')
      throw new NotAllowed('the person said no', { cause: error });
    throw error;
  }
}

/**
 * Signs in by a personal token (docs/decisions/0096), which works at every installation.
 * @throws UnusableToken; TypeError without a network.
 */
export async function signInByToken(installation: Installation, pasted: string): Promise<Session> {
  const accessToken = pasted.trim();
  return { kind: 'token', userId: await findUser(installation, accessToken), accessToken };
}

async function findUser(installation: Installation, accessToken: string): Promise<string> {
  const userId = await findLibraryOwner(installation, accessToken);
  if (userId === null) throw new UnusableToken('it opens no library');
  return userId;
}
