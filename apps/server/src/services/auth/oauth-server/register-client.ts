import * as v from 'valibot';
import { asAuthAdmin } from '../../../kernel/database.ts';
import type { Operation } from '../auth-context.ts';
import { AuthError, OAuthError } from '../auth-error.ts';
import { CLIENT_BODY, readClientMetadata } from './client-metadata.ts';
import { insertClient } from './client-store.ts';
import { presentClient } from './present-client.ts';

/**
 * POST /oauth/clients/register: a program registers itself (RFC 7591), where the operator lets it. It says only for whom codes are: what
 * it may do is each person's to say.
 * @throws oauth_dynamic_client_registration_disabled, over_request_rate_limit, invalid_redirect_uri, invalid_client_metadata
 */
export const registerClient: Operation = async (context, request) => {
  if (!context.settings.oauthDynamicRegistration)
    throw new AuthError('oauth_dynamic_client_registration_disabled');
  const body = v.safeParse(CLIENT_BODY, request.body);
  if (!body.success) throw new OAuthError('invalid_client_metadata', 'The metadata could not be read');
  const read = readClientMetadata(body.output);
  if (!read.ok) throw new OAuthError(read.fault.error, read.fault.message);
  const { client, secret } = await asAuthAdmin(context.db, 'register a program', async (tx) => {
    await context.limits.countRegistration(tx, request.ip);
    return insertClient(tx, { metadata: read.metadata, registrationType: 'dynamic' }, context.now());
  });
  return { status: 201, body: presentClient(client, secret) };
};
