import { isUuid } from '@linkoteca/domain/uuid';
import { asAuthAdmin } from '../../../kernel/database.ts';
import type { AuthContext, AuthRequest } from '../auth-context.ts';
import { OAuthError } from '../auth-error.ts';
import { findClient, matchesSecret, type OAuthClient } from './client-store.ts';

export type Form = Readonly<Record<string, string>>;

/** The fields of a request that programs make (RFC 6749, section 3.2): a form, or JSON as the platform takes it. */
export function readForm(body: unknown): Form {
  if (typeof body !== 'object' || body === null) return {};
  return Object.fromEntries(
    Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

type Credentials = { readonly id: string; readonly secret: string | undefined };

/**
 * Which program asks (OAuth 2.1, section 2.4). Refusals are counted by network: secrets are not to be tried out here.
 * @throws invalid_client, invalid_request, over_request_rate_limit
 */
export async function authenticateClient(
  context: AuthContext,
  request: AuthRequest,
  form: Form,
): Promise<OAuthClient> {
  const { id, secret } = readCredentials(request, form);
  const client = isUuid(id)
    ? await asAuthAdmin(context.db, 'find a program', (tx) => findClient(tx, id))
    : undefined;
  if (client && isProven(client, secret)) return client;
  await context.limits.countVerification(request.ip);
  throw new OAuthError('invalid_client', 'Invalid client credentials');
}

function isProven(client: OAuthClient, secret: string | undefined): boolean {
  // A public program has no secret: one that comes with one is taken for another.
  if (client.authMethod === 'none') return secret === undefined;
  return secret !== undefined && matchesSecret(client, secret);
}

const BASIC = /^basic +([A-Za-z0-9+/=]+)$/i;

function readCredentials({ headers }: AuthRequest, form: Form): Credentials {
  const { client_id: id = '', client_secret: secret } = form;
  const [, encoded] = BASIC.exec(headers.authorization ?? '') ?? [];
  if (encoded === undefined) return { id, secret: secret === '' ? undefined : secret };
  if (secret !== undefined)
    throw new OAuthError('invalid_request', 'Client credentials must be sent in one way only');
  const [, name = '', word = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  const basic = { id: decode(name), secret: decode(word) };
  if (id !== '' && id !== basic.id) throw new OAuthError('invalid_client', 'Invalid client credentials');
  return basic;
}

/** RFC 6749, section 2.3.1: both parts are encoded like a form's values. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return '';
  }
}
