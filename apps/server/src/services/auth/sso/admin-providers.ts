import { isUuid } from '@linkoteca/domain/uuid';
import * as v from 'valibot';
import { asAuthAdmin } from '../../../kernel/database.ts';
import type { AuthContext, AuthRequest, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { requireOperator } from '../authenticate.ts';
import { readBody, text } from '../body-fields.ts';
import { ATTRIBUTE_MAPPING } from './attribute-mapping.ts';
import { readIdentityProvider } from './identity-provider.ts';
import { fetchMetadata } from './load-identity-provider.ts';
import {
  deleteSsoProvider,
  findSsoProvider,
  insertSsoProvider,
  listSsoProviders,
  lockSsoProvider,
  type SsoProvider,
  updateSsoProvider,
} from './sso-store.ts';
import { requireSaml } from './start-sso.ts';

const BODY = v.object({
  type: text,
  metadata_url: text,
  metadata_xml: text,
  domains: v.nullish(v.array(v.string())),
  attribute_mapping: v.nullish(ATTRIBUTE_MAPPING),
  name_id_format: v.nullish(v.string()),
  disabled: v.nullish(v.boolean()),
});
type Body = v.InferOutput<typeof BODY>;

const NAME_ID_FORMATS = [
  'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
];
const DOMAIN =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;
const MOST_DOMAINS = 100;

/** POST /admin/sso/providers: an operator lets an organisation's identity provider vouch for its people. */
export const adminCreateSsoProvider: Operation = async (context, request) => {
  const body = readRequest(context, request);
  if (body.type !== 'saml') throw invalid("Only 'saml' supported for SSO provider type");
  if (body.metadata_url === '' && body.metadata_xml === '')
    throw invalid('Either metadata_xml or metadata_url must be set');
  const metadata = await readMetadata(context, body);
  const provider = {
    ...metadata,
    attributeMapping: body.attribute_mapping ?? {},
    nameIdFormat: body.name_id_format || null,
    domains: readDomains(body) ?? [],
    disabled: body.disabled ?? false,
  };
  const made = await asAuthAdmin(context.db, 'add an organisation', async (tx) => {
    const id = await insertSsoProvider(tx, provider, context.now());
    return findSsoProvider(tx, { id });
  });
  return { status: 201, body: made && present(made) };
};

/** GET /admin/sso/providers: without their metadata, which are long. */
export const adminListSsoProviders: Operation = async (context, request) => {
  requireOperator(context, request);
  requireSaml(context);
  const providers = await asAuthAdmin(context.db, 'list organisations', listSsoProviders);
  return { body: { items: providers.map((provider) => present({ ...provider, metadataXml: '' })) } };
};

/** GET /admin/sso/providers/:idp_id. @throws sso_provider_not_found */
export const adminGetSsoProvider: Operation = async (context, request) => ({
  body: present(await loadProvider(context, request)),
});

/** PUT /admin/sso/providers/:idp_id: what is not said stays. @throws saml_entity_id_mismatch, sso_provider_not_found */
export const adminUpdateSsoProvider: Operation = async (context, request) => {
  const known = await loadProvider(context, request);
  const body = readRequest(context, request);
  const domains = readDomains(body);
  const isRead = body.metadata_url !== '' || body.metadata_xml !== '';
  const metadata = isRead ? await readMetadata(context, body) : undefined;
  if (metadata && metadata.entityId !== known.entityId)
    throw new AuthError('saml_entity_id_mismatch', {
      message: `SAML Metadata can be updated only if the EntityID matches for the provider; expected '${known.entityId}' but got '${metadata.entityId}'`,
    });
  const { id } = known;
  const updated = await asAuthAdmin(context.db, 'change an organisation', async (tx) => {
    await lockSsoProvider(tx, id);
    // Read once more: another operator may have changed what this request leaves as it is.
    const current = await findSsoProvider(tx, { id });
    if (!current) throw notFound();
    const { metadataXml, metadataUrl } = metadata ?? current;
    const changed = {
      id,
      metadataXml,
      metadataUrl,
      attributeMapping: body.attribute_mapping ?? current.attributeMapping,
      nameIdFormat: body.name_id_format === undefined ? current.nameIdFormat : body.name_id_format || null,
      domains: domains ?? current.domains,
      disabled: body.disabled ?? current.disabled,
    };
    await updateSsoProvider(tx, changed, context.now());
    return findSsoProvider(tx, { id });
  });
  return { body: updated && present(updated) };
};

/** DELETE /admin/sso/providers/:idp_id: its people have no way in any more; their accounts stay. */
export const adminDeleteSsoProvider: Operation = async (context, request) => {
  const known = await loadProvider(context, request);
  await asAuthAdmin(context.db, 'remove an organisation', (tx) => deleteSsoProvider(tx, known.id));
  return { body: present(known) };
};

/** @throws not_admin, saml_provider_disabled, validation_failed */
function readRequest(context: AuthContext, request: AuthRequest): Body {
  requireOperator(context, request);
  requireSaml(context);
  const body = readBody(BODY, request.body);
  if (body.metadata_url !== '' && body.metadata_xml !== '')
    throw invalid('Only one of metadata_xml or metadata_url needs to be set');
  if (body.metadata_url !== '' && URL.parse(body.metadata_url)?.protocol !== 'https:')
    throw invalid('metadata_url is not a HTTPS URL');
  if (body.name_id_format && !NAME_ID_FORMATS.includes(body.name_id_format))
    throw invalid(`name_id_format must be unspecified or one of ${NAME_ID_FORMATS.join(', ')}`);
  return body;
}

async function readMetadata({ now }: AuthContext, { metadata_url: url, metadata_xml: given }: Body) {
  const metadataXml = url === '' ? given : await fetchMetadata(url);
  const read = readIdentityProvider(metadataXml, now());
  if (!read.ok) throw invalid(read.fault);
  return { entityId: read.provider.entityId, metadataXml, metadataUrl: url || null };
}

function readDomains({ domains }: Body): readonly string[] | undefined {
  const read = domains?.map((domain) => domain.trim().toLowerCase());
  if (read?.some((domain) => !DOMAIN.test(domain))) throw invalid('domains must be names of domains');
  if (read && read.length > MOST_DOMAINS) throw invalid(`domains cannot exceed ${MOST_DOMAINS} items`);
  return read && [...new Set(read)];
}

async function loadProvider(context: AuthContext, request: AuthRequest): Promise<SsoProvider> {
  requireOperator(context, request);
  requireSaml(context);
  const { idp_id: id } = request.params;
  const provider = isUuid(id)
    ? await asAuthAdmin(context.db, 'find an organisation', (tx) => findSsoProvider(tx, { id }))
    : undefined;
  if (!provider) throw notFound();
  return provider;
}

function notFound(): AuthError {
  return new AuthError('sso_provider_not_found', { message: 'SSO Identity Provider not found' });
}

function present(provider: SsoProvider): Readonly<Record<string, unknown>> {
  return {
    id: provider.id,
    ...(provider.resourceId === null ? {} : { resource_id: provider.resourceId }),
    disabled: provider.disabled,
    saml: {
      entity_id: provider.entityId,
      ...(provider.metadataXml === '' ? {} : { metadata_xml: provider.metadataXml }),
      ...(provider.metadataUrl === null ? {} : { metadata_url: provider.metadataUrl }),
      attribute_mapping: provider.attributeMapping,
      ...(provider.nameIdFormat === null ? {} : { name_id_format: provider.nameIdFormat }),
    },
    domains: provider.domains.map((domain) => ({ domain })),
    created_at: provider.createdAt.toISOString(),
    updated_at: provider.updatedAt.toISOString(),
  };
}

function invalid(message: string): AuthError {
  return new AuthError('validation_failed', { message });
}
