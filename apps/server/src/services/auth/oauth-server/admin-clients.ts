import { isUuid } from '@linkoteca/domain/uuid';
import { asAuthAdmin } from '../../../kernel/database.ts';
import type { AuthContext, AuthRequest, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { requireOperator } from '../authenticate.ts';
import { readBody } from '../body-fields.ts';
import { listNeighbours, readPage } from '../paging.ts';
import { AUDIENCE } from '../stores/users.ts';
import { CLIENT_BODY, type ClientBody, readClientMetadata } from './client-metadata.ts';
import {
  type ClientMetadata,
  deleteClient,
  findClient,
  insertClient,
  listClients,
  type OAuthClient,
  renewSecret,
  updateClient,
} from './client-store.ts';
import { presentClient } from './present-client.ts';

/** POST /admin/oauth/clients: an operator registers a program. @throws not_admin, validation_failed */
export const adminCreateClient: Operation = async (context, request) => {
  requireOperator(context, request);
  const metadata = readMetadata(readBody(CLIENT_BODY, request.body));
  const { client, secret } = await asAuthAdmin(context.db, 'register a program', (tx) =>
    insertClient(tx, { metadata, registrationType: 'manual' }, context.now()),
  );
  return { status: 201, body: presentClient(client, secret) };
};

function readMetadata(body: ClientBody, known?: ClientMetadata): ClientMetadata {
  const read = readClientMetadata(body, known);
  if (!read.ok) throw new AuthError('validation_failed', { message: read.fault.message });
  return read.metadata;
}

/** GET /admin/oauth/clients: a page of programs. @throws not_admin, validation_failed */
export const adminListClients: Operation = async (context, request) => {
  requireOperator(context, request);
  const { page, perPage } = readPage(request);
  const { clients, total } = await asAuthAdmin(context.db, 'list programs', (tx) =>
    listClients(tx, { limit: perPage, offset: (page - 1) * perPage }),
  );
  return {
    headers: {
      'x-total-count': String(total),
      link: listNeighbours('/admin/oauth/clients', { page, perPage }, total),
    },
    body: { clients: clients.map((client) => presentClient(client)), aud: AUDIENCE },
  };
};

/** GET /admin/oauth/clients/{id}. @throws not_admin, validation_failed, oauth_client_not_found */
export const adminGetClient: Operation = async (context, request) => {
  requireOperator(context, request);
  return { body: presentClient(await loadClient(context, request)) };
};

async function loadClient({ db }: AuthContext, request: AuthRequest): Promise<OAuthClient> {
  const id = readId(request);
  const client = await asAuthAdmin(db, 'find a program', (tx) => findClient(tx, id));
  if (!client) throw new AuthError('oauth_client_not_found');
  return client;
}

function readId({ params }: AuthRequest): string {
  const { client_id: id } = params;
  if (!isUuid(id)) throw new AuthError('validation_failed', { message: 'invalid client_id format' });
  return id;
}

/** PUT /admin/oauth/clients/{id}: what is not said stays. @throws not_admin, validation_failed, oauth_client_not_found */
export const adminUpdateClient: Operation = async (context, request) => {
  requireOperator(context, request);
  const body = readBody(CLIENT_BODY, request.body);
  if (Object.values(body).every((value) => value === undefined || value === null))
    throw new AuthError('validation_failed', { message: 'No fields provided for update' });
  const id = readId(request);
  const client = await asAuthAdmin(context.db, 'change a program', async (tx) => {
    const known = await findClient(tx, id, { lock: true });
    if (!known) return undefined;
    return updateClient(tx, { id, metadata: readMetadata(body, known) }, context.now());
  });
  if (!client) throw new AuthError('oauth_client_not_found');
  return { body: presentClient(client) };
};

/** DELETE /admin/oauth/clients/{id}: with all that people allowed it. @throws not_admin, validation_failed, oauth_client_not_found */
export const adminDeleteClient: Operation = async (context, request) => {
  requireOperator(context, request);
  const { id } = await loadClient(context, request);
  await asAuthAdmin(context.db, 'end a program', (tx) => deleteClient(tx, id, context.now()));
  return { status: 204 };
};

/** POST /admin/oauth/clients/{id}/regenerate_secret. @throws not_admin, validation_failed, oauth_client_not_found */
export const adminRegenerateSecret: Operation = async (context, request) => {
  requireOperator(context, request);
  const { id, authMethod } = await loadClient(context, request);
  if (authMethod === 'none')
    throw new AuthError('validation_failed', { message: 'Cannot regenerate secret for public client' });
  const renewed = await asAuthAdmin(context.db, 'renew a secret', (tx) => renewSecret(tx, id, context.now()));
  if (!renewed) throw new AuthError('oauth_client_not_found');
  return { body: presentClient(renewed.client, renewed.secret) };
};
