import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { expect } from 'vitest';
import { type Assistant, openAssistant } from './connect-assistant.ts';
import type { Person } from './create-person.ts';
import { required } from './required.ts';

export const ASSISTANT_CALLBACK = 'http://127.0.0.1/volta';

type Kept = {
  client: OAuthClientInformationMixed | undefined;
  tokens?: OAuthTokens;
  verifier?: string;
  page?: URL;
};

/** What a program keeps for itself while a person lets it in. */
function createProvider(kept: Kept): OAuthClientProvider {
  return {
    redirectUrl: ASSISTANT_CALLBACK,
    clientMetadata: {
      client_name: 'Assistente',
      redirect_uris: [ASSISTANT_CALLBACK],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens;
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => required(kept.verifier),
    redirectToAuthorization: (page) => {
      kept.page = page;
    },
  };
}

/**
 * Walks the whole way from an address that somebody has pasted, by the SDK's own client: it is refused, finds the authorization server, leads
 * the person there, who says yes, and connects.
 * @param clientId of a program that an operator registered; left out, it registers itself
 * @returns the assistant, and the page that the person was led to
 */
export async function letAssistantIn(
  address: URL,
  person: Person,
  clientId?: string,
): Promise<{ readonly assistant: Assistant; readonly page: URL }> {
  const kept: Kept = { client: clientId === undefined ? undefined : { client_id: clientId } };
  const authProvider = createProvider(kept);
  const first = new StreamableHTTPClientTransport(address, { authProvider });
  await expect(openAssistant(first)).rejects.toThrow(UnauthorizedError);
  const page = required(kept.page);
  const sent = await fetch(page, { redirect: 'manual' });
  const consent = new URL(required(sent.headers.get('location')));
  const id = required(consent.searchParams.get('authorization_id'));
  await person.client.auth.oauth.getAuthorizationDetails(id);
  const approved = await person.client.auth.oauth.approveAuthorization(id, { skipBrowserRedirect: true });
  const back = new URL(required(approved.data, approved.error).redirect_url);
  await first.finishAuth(required(back.searchParams.get('code')));
  const assistant = await openAssistant(new StreamableHTTPClientTransport(address, { authProvider }));
  return { assistant, page };
}
