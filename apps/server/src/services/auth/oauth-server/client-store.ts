import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Transaction } from '../../../kernel/database.ts';

export type AuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post';

/** What a program says of itself (RFC 7591, section 2). */
export type ClientMetadata = {
  readonly redirectUris: readonly string[];
  readonly grantTypes: readonly string[];
  readonly name: string;
  readonly uri: string;
  readonly logoUri: string;
  readonly authMethod: AuthMethod;
};

/** A program that was registered. */
export type OAuthClient = ClientMetadata & {
  readonly id: string;
  readonly registrationType: 'dynamic' | 'manual';
  readonly secretHash: string | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

type Columns = {
  id: string;
  client_secret_hash: string | null;
  registration_type: OAuthClient['registrationType'];
  redirect_uris: string;
  grant_types: string;
  client_name: string | null;
  client_uri: string | null;
  logo_uri: string | null;
  token_endpoint_auth_method: AuthMethod;
  created_at: Date;
  updated_at: Date;
};

const COLUMNS = `id, client_secret_hash, registration_type, redirect_uris, grant_types, client_name, client_uri, logo_uri,
  token_endpoint_auth_method, created_at, updated_at`;

function toClient(row: Columns): OAuthClient {
  return {
    id: row.id,
    secretHash: row.client_secret_hash ?? undefined,
    registrationType: row.registration_type,
    redirectUris: row.redirect_uris.split(','),
    grantTypes: row.grant_types.split(','),
    name: row.client_name ?? '',
    uri: row.client_uri ?? '',
    logoUri: row.logo_uri ?? '',
    authMethod: row.token_endpoint_auth_method,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** 256 random bits: hashing slowly would protect nothing. */
function createSecret(): string {
  return randomBytes(32).toString('base64url');
}

function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

export function matchesSecret({ secretHash }: OAuthClient, secret: string): boolean {
  if (secretHash === undefined) return false;
  const [expected, given] = [Buffer.from(secretHash), Buffer.from(hashSecret(secret))];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** Registers a program. @returns it, and its secret where it keeps one: nobody can read that again */
export async function insertClient(
  tx: Transaction,
  {
    metadata,
    registrationType,
  }: { readonly metadata: ClientMetadata } & Pick<OAuthClient, 'registrationType'>,
  now: Date,
): Promise<{ readonly client: OAuthClient; readonly secret: string | undefined }> {
  const secret = metadata.authMethod === 'none' ? undefined : createSecret();
  const { rows } = await tx.query<Columns>({
    name: 'oauth_insert_client',
    text: `insert into auth.oauth_clients (id, client_secret_hash, registration_type, client_type, redirect_uris, grant_types,
        client_name, client_uri, logo_uri, token_endpoint_auth_method, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) returning ${COLUMNS}`,
    values: [
      randomUUID(),
      secret === undefined ? null : hashSecret(secret),
      registrationType,
      secret === undefined ? 'public' : 'confidential',
      ...listValues(metadata),
      metadata.authMethod,
      now,
    ],
  });
  return { client: toClient(rows[0] as Columns), secret };
}

function listValues({ redirectUris, grantTypes, name, uri, logoUri }: Omit<ClientMetadata, 'authMethod'>) {
  return [redirectUris.join(','), grantTypes.join(','), name || null, uri || null, logoUri || null];
}

/** @param lock keeps others from changing it until the transaction ends. */
export async function findClient(
  tx: Transaction,
  id: string,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<OAuthClient | undefined> {
  const { rows } = await tx.query<Columns>({
    text: `select ${COLUMNS} from auth.oauth_clients where id = $1::uuid and deleted_at is null${lock ? ' for update' : ''}`,
    values: [id],
  });
  return rows[0] && toClient(rows[0]);
}

export async function updateClient(
  tx: Transaction,
  { id, metadata }: { readonly id: string; readonly metadata: ClientMetadata },
  now: Date,
): Promise<OAuthClient | undefined> {
  const { rows } = await tx.query<Columns>({
    name: 'oauth_update_client',
    text: `update auth.oauth_clients set redirect_uris = $2, grant_types = $3, client_name = $4, client_uri = $5, logo_uri = $6,
        token_endpoint_auth_method = $7, updated_at = $8
      where id = $1 and deleted_at is null returning ${COLUMNS}`,
    values: [id, ...listValues(metadata), metadata.authMethod, now],
  });
  return rows[0] && toClient(rows[0]);
}

/** Gives a program another secret; the one that it had is good for nothing from then on. */
export async function renewSecret(
  tx: Transaction,
  id: string,
  now: Date,
): Promise<{ readonly client: OAuthClient; readonly secret: string } | undefined> {
  const secret = createSecret();
  const { rows } = await tx.query<Columns>({
    name: 'oauth_renew_secret',
    text: `update auth.oauth_clients set client_secret_hash = $2, updated_at = $3
      where id = $1 and deleted_at is null and client_type = 'confidential' returning ${COLUMNS}`,
    values: [id, hashSecret(secret), now],
  });
  return rows[0] && { client: toClient(rows[0]), secret };
}

/** Ends a program: it is known no more, and whatever it was allowed ends in this moment. */
export async function deleteClient(tx: Transaction, id: string, now: Date): Promise<void> {
  // First and apart: a program that is coming for its tokens is waited for, and what it got is there to be ended.
  await tx.query({
    name: 'oauth_forget_authorizations_of_client',
    text: 'delete from auth.oauth_authorizations where client_id = $1',
    values: [id],
  });
  await tx.query({
    name: 'oauth_delete_client',
    text: `with ended as (delete from auth.sessions where oauth_client_id = $1),
        withdrawn as (update auth.oauth_consents set revoked_at = greatest(granted_at, $2) where client_id = $1 and revoked_at is null)
      update auth.oauth_clients set deleted_at = $2 where id = $1`,
    values: [id, now],
  });
}

/** A page of the registered programs, the newest first. */
export async function listClients(
  tx: Transaction,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly clients: readonly OAuthClient[]; readonly total: number }> {
  const { rows } = await tx.query<Columns>({
    text: `select ${COLUMNS} from auth.oauth_clients where deleted_at is null order by created_at desc, id limit $1 offset $2`,
    values: [limit, offset],
  });
  const counted = await tx.query<{ total: number }>({
    text: 'select count(*)::integer as total from auth.oauth_clients where deleted_at is null',
  });
  return { clients: rows.map(toClient), total: counted.rows[0]?.total ?? 0 };
}
