import { randomBytes, randomUUID } from 'node:crypto';
import { isUuid } from '@linkoteca/domain/uuid';
import * as v from 'valibot';
import { asAuthAdmin } from '../../../kernel/database.ts';
import type { AuthContext, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { challengeFields, readBody, text } from '../body-fields.ts';
import { readChallenge } from '../code-challenge.ts';
import { resolveRedirect } from '../resolve-redirect.ts';
import { loadIdentityProvider } from './load-identity-provider.ts';
import { setRelayCookie } from './relay-cookie.ts';
import { insertRelayState } from './relay-states.ts';
import type { ServiceProvider } from './service-provider.ts';
import { findSsoProvider, type SsoProvider } from './sso-store.ts';

const BODY = v.object({
  provider_id: text,
  domain: text,
  redirect_to: text,
  skip_http_redirect: v.nullish(v.boolean(), false),
  ...challengeFields,
});

/**
 * POST /sso: sends a browser to the identity provider of an organisation, which is named by its id or by a domain of its addresses; or tells a
 * script where to send it (`skip_http_redirect`).
 * @throws saml_provider_disabled, validation_failed, sso_provider_not_found, sso_provider_disabled
 */
export const startSso: Operation = async (context, request) => {
  const own = requireSaml(context);
  const body = readBody(BODY, request.body);
  const challenge = readChallenge(body);
  const provider = await findWanted(context, body);
  const idp = await loadIdentityProvider(context, provider);
  const relayState = randomUUID();
  // A name of XML: no digit first.
  const requestId = `id-${randomBytes(20).toString('hex')}`;
  const redirectTo = resolveRedirect(context.settings, request, body.redirect_to);
  const address = await own.buildRequestUrl(idp, { requestId, relayState });
  const state = { id: relayState, providerId: provider.id, requestId, redirectTo, challenge };
  await asAuthAdmin(context.db, 'start a sign-in by an organisation', (tx) =>
    insertRelayState(tx, state, context.now()),
  );
  const headers = {
    'set-cookie': setRelayCookie(context, relayState, context.settings.saml?.relayStateLifetime ?? 0),
    'cache-control': 'no-store',
  };
  if (body.skip_http_redirect) return { headers, body: { url: address.href } };
  return { status: 303, headers: { ...headers, location: address.href } };
};

/** @throws saml_provider_disabled */
export function requireSaml({ saml }: Pick<AuthContext, 'saml'>): ServiceProvider {
  if (!saml) throw new AuthError('saml_provider_disabled');
  return saml;
}

async function findWanted(
  { db }: Pick<AuthContext, 'db'>,
  { provider_id: id, domain }: Pick<v.InferOutput<typeof BODY>, 'provider_id' | 'domain'>,
): Promise<SsoProvider> {
  if (id !== '' && domain !== '')
    throw new AuthError('validation_failed', { message: 'Only one of provider_id or domain supported' });
  if (id === '' && domain === '')
    throw new AuthError('validation_failed', { message: 'A provider_id or domain needs to be provided' });
  const by = id === '' ? { domain } : isUuid(id) ? { id } : undefined;
  const provider = by && (await asAuthAdmin(db, 'find an organisation', (tx) => findSsoProvider(tx, by)));
  if (!provider)
    throw new AuthError('sso_provider_not_found', {
      message: id === '' ? 'No SSO provider assigned for this domain' : 'No such SSO provider',
    });
  return provider;
}
