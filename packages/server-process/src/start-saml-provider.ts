import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readSamlRequest, SamlIdentityProvider } from './saml-identity-provider.ts';

export type SamlProvider = {
  /** Who it is, for an operator to register. */
  readonly metadata: string;
  stop(): Promise<void>;
};

/** A person of the organisation. */
export type OrganisationPerson = { readonly nameId: string; readonly email: string; readonly name: string };

/**
 * An organisation's identity provider on this machine, with a page that a browser sees: one button signs its person in.
 * @param siteUrl of the installation that it knows
 */
export async function startSamlProvider(siteUrl: string, person: OrganisationPerson): Promise<SamlProvider> {
  const base = `${siteUrl}/auth/v1/sso/saml`;
  const served = { entityId: `${base}/metadata`, acsUrl: `${base}/acs` };
  let provider: SamlIdentityProvider | undefined;
  const server = createServer((request, response) => {
    const address = `http://127.0.0.1${request.url}`;
    // Browsers also ask for the page's icon.
    if (!provider || !address.includes('SAMLRequest=')) return response.writeHead(404).end();
    response.setHeader('content-type', 'text/html; charset=utf-8');
    return response.end(renderPage(provider, served.acsUrl, person, address));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const entityId = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  provider = await SamlIdentityProvider.create(served, entityId);
  return {
    metadata: provider.metadata(),
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** The form that takes the answer back (SAML 2.0 Bindings, section 3.5). */
function renderPage(
  provider: SamlIdentityProvider,
  acsUrl: string,
  { nameId, email, name }: OrganisationPerson,
  address: string,
): string {
  const { requestId, relayState } = readSamlRequest(address);
  const answer = provider.answer({ requestId, nameId, email, attributes: { displayName: name } });
  const encoded = Buffer.from(answer).toString('base64');
  return `<!doctype html><html lang="pt-BR"><title>Empresa</title><form method="post" action="${acsUrl}">
    <input type="hidden" name="SAMLResponse" value="${encoded}">
    <input type="hidden" name="RelayState" value="${relayState}">
    <button>Continuar como ${name}</button></form></html>`;
}
