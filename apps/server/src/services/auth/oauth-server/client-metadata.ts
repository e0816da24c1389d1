import * as v from 'valibot';
import type { AuthMethod, ClientMetadata } from './client-store.ts';
import { findRedirectUriFault } from './redirect-uri.ts';

const text = v.nullish(v.string());
const list = v.nullish(v.array(v.string()));

/** What a program may say of itself (RFC 7591, section 2); what is not known is passed over, as there. */
export const CLIENT_BODY = v.object({
  redirect_uris: list,
  grant_types: list,
  response_types: list,
  client_name: text,
  client_uri: text,
  logo_uri: text,
  client_type: text,
  token_endpoint_auth_method: text,
});
export type ClientBody = v.InferOutput<typeof CLIENT_BODY>;

export type MetadataFault = {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata';
  readonly message: string;
};
type ReadMetadata =
  | { readonly ok: true; readonly metadata: ClientMetadata }
  | { readonly ok: false; readonly fault: MetadataFault };

const MOST_REDIRECTS = 10;
const MAX_NAME_LENGTH = 1024;
const MAX_URI_LENGTH = 2048;
const GRANT_TYPES = ['authorization_code', 'refresh_token'];
const AUTH_METHODS: readonly AuthMethod[] = ['none', 'client_secret_basic', 'client_secret_post'];

/**
 * What a registered program is from now on.
 * @param known what it was before; undefined: it is new, and says all that it must.
 */
export function readClientMetadata(body: ClientBody, known?: ClientMetadata): ReadMetadata {
  const redirectUris = body.redirect_uris ?? known?.redirectUris ?? [];
  const grantTypes = body.grant_types ?? known?.grantTypes ?? GRANT_TYPES;
  const name = body.client_name ?? known?.name ?? '';
  const uri = body.client_uri ?? known?.uri ?? '';
  const logoUri = body.logo_uri ?? known?.logoUri ?? '';
  const authMethod = chooseAuthMethod(body) ?? known?.authMethod ?? 'client_secret_basic';

  const redirectFault = findRedirectFault(redirectUris);
  if (redirectFault !== undefined) return refuse('invalid_redirect_uri', redirectFault);
  const fault =
    findGrantFault(grantTypes) ??
    (name.length > MAX_NAME_LENGTH ? `client_name cannot exceed ${MAX_NAME_LENGTH} characters` : undefined) ??
    findAddressFault('client_uri', uri) ??
    findAddressFault('logo_uri', logoUri) ??
    findMethodFault(body, authMethod, known);
  if (fault !== undefined) return refuse('invalid_client_metadata', fault);
  return {
    ok: true,
    metadata: {
      redirectUris: [...redirectUris],
      grantTypes: [...grantTypes],
      name,
      uri,
      logoUri,
      authMethod,
    },
  };
}

function refuse(error: MetadataFault['error'], message: string): ReadMetadata {
  return { ok: false, fault: { error, message } };
}

function findRedirectFault(uris: readonly string[]): string | undefined {
  if (uris.length === 0) return 'redirect_uris is required';
  if (uris.length > MOST_REDIRECTS) return `redirect_uris cannot exceed ${MOST_REDIRECTS} items`;
  const faults = uris.map(findRedirectUriFault);
  const at = faults.findIndex((fault) => fault !== undefined);
  return at < 0 ? undefined : `redirect URI ${at + 1} ${faults[at]}`;
}

function findGrantFault(types: readonly string[]): string | undefined {
  if (!types.includes('authorization_code') || types.some((type) => !GRANT_TYPES.includes(type)))
    return "grant_types must be 'authorization_code', with or without 'refresh_token'";
  return undefined;
}

/** People follow it, or see it: nothing that runs. */
function findAddressFault(field: string, address: string): string | undefined {
  if (address === '') return undefined;
  if (address.length > MAX_URI_LENGTH) return `${field} cannot exceed ${MAX_URI_LENGTH} characters`;
  const isWeb = URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
  return isWeb ? undefined : `${field} must be an http or https URL`;
}

function chooseAuthMethod({
  token_endpoint_auth_method: named,
  client_type: type,
}: ClientBody): AuthMethod | undefined {
  if (named) return named as AuthMethod;
  return type === 'public' ? 'none' : undefined;
}

function findMethodFault(
  { client_type: type, response_types: answers }: ClientBody,
  method: AuthMethod,
  known: ClientMetadata | undefined,
): string | undefined {
  if (!AUTH_METHODS.includes(method))
    return `token_endpoint_auth_method must be one of ${AUTH_METHODS.join(', ')}`;
  if (answers && (answers.length !== 1 || answers[0] !== 'code')) return "response_types must be ['code']";
  if (type && type !== 'public' && type !== 'confidential')
    return "client_type must be 'public' or 'confidential'";
  if (type && (type === 'public') !== (method === 'none'))
    return 'client_type and token_endpoint_auth_method contradict each other';
  // Its secret, or that it has none, is settled with its registration.
  if (known && (known.authMethod === 'none') !== (method === 'none'))
    return 'a program cannot become public or confidential afterwards';
  return undefined;
}
