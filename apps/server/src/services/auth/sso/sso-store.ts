import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Transaction } from '../../../kernel/database.ts';
import { AuthError } from '../auth-error.ts';
import type { AttributeMapping } from './attribute-mapping.ts';

/** An organisation whose people sign in by its identity provider. */
export type SsoProvider = {
  readonly id: string;
  readonly resourceId: string | null;
  readonly disabled: boolean;
  readonly entityId: string;
  readonly metadataXml: string;
  readonly metadataUrl: string | null;
  readonly attributeMapping: AttributeMapping;
  readonly nameIdFormat: string | null;
  /** Of the addresses that it vouches for, in lower case. */
  readonly domains: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** When its metadata were read last. */
  readonly metadataAt: Date;
};

type Columns = {
  id: string;
  resource_id: string | null;
  disabled: boolean | null;
  entity_id: string;
  metadata_xml: string;
  metadata_url: string | null;
  attribute_mapping: AttributeMapping | null;
  name_id_format: string | null;
  domains: string[];
  created_at: Date;
  updated_at: Date;
  metadata_at: Date;
};

const SELECT = `select p.id, p.resource_id, p.disabled, s.entity_id, s.metadata_xml, s.metadata_url, s.attribute_mapping, s.name_id_format,
    coalesce(p.created_at, 'epoch') as created_at, coalesce(p.updated_at, 'epoch') as updated_at, coalesce(s.updated_at, 'epoch') as metadata_at,
    array(select lower(d.domain) from auth.sso_domains d where d.sso_provider_id = p.id order by d.created_at, d.domain) as domains
  from auth.sso_providers p join auth.saml_providers s on s.sso_provider_id = p.id`;

function toProvider(row: Columns): SsoProvider {
  return {
    id: row.id,
    resourceId: row.resource_id,
    disabled: row.disabled === true,
    entityId: row.entity_id,
    metadataXml: row.metadata_xml,
    metadataUrl: row.metadata_url,
    attributeMapping: row.attribute_mapping ?? {},
    nameIdFormat: row.name_id_format,
    domains: row.domains,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    metadataAt: row.metadata_at,
  };
}

export async function findSsoProvider(
  tx: Transaction,
  by: { readonly id: string } | { readonly domain: string },
): Promise<SsoProvider | undefined> {
  const condition =
    'id' in by
      ? 'p.id = $1::uuid'
      : 'p.id = (select d.sso_provider_id from auth.sso_domains d where lower(d.domain) = lower($1))';
  const { rows } = await tx.query<Columns>({
    text: `${SELECT} where ${condition}`,
    values: ['id' in by ? by.id : by.domain],
  });
  return rows[0] && toProvider(rows[0]);
}

/** Keeps others from changing an organisation. Apart from reading it: a statement that waited would show its other rows as they were. */
export async function lockSsoProvider(tx: Transaction, id: string): Promise<void> {
  await tx.query({ text: 'select from auth.sso_providers where id = $1::uuid for update', values: [id] });
}

/** All of them, the oldest first. */
export async function listSsoProviders(tx: Transaction): Promise<readonly SsoProvider[]> {
  const { rows } = await tx.query<Columns>({ text: `${SELECT} order by p.created_at, p.id` });
  return rows.map(toProvider);
}

type Written = Pick<
  SsoProvider,
  'entityId' | 'metadataXml' | 'metadataUrl' | 'attributeMapping' | 'nameIdFormat' | 'domains' | 'disabled'
>;

/** @returns the id. @throws saml_idp_already_exists, sso_domain_already_exists */
export async function insertSsoProvider(tx: Transaction, provider: Written, now: Date): Promise<string> {
  const id = randomUUID();
  await refuseTaken(async () => {
    await tx.query({
      text: `with own as (
          insert into auth.sso_providers (id, disabled, created_at, updated_at) values ($1, $2, $3, $3)
        )
        insert into auth.saml_providers (id, sso_provider_id, entity_id, metadata_xml, metadata_url, attribute_mapping, name_id_format, created_at, updated_at)
        values ($4, $1, $5, $6, $7, $8, $9, $3, $3)`,
      values: [
        id,
        provider.disabled,
        now,
        randomUUID(),
        provider.entityId,
        provider.metadataXml,
        provider.metadataUrl,
        JSON.stringify(provider.attributeMapping),
        provider.nameIdFormat,
      ],
    });
    await setDomains(tx, { id, domains: provider.domains }, now);
  });
  return id;
}

/** @throws sso_domain_already_exists */
export async function updateSsoProvider(
  tx: Transaction,
  provider: Omit<Written, 'entityId'> & { readonly id: string },
  now: Date,
): Promise<void> {
  await refuseTaken(async () => {
    await tx.query({
      text: `with own as (update auth.sso_providers set disabled = $2, updated_at = $3 where id = $1)
        update auth.saml_providers set metadata_xml = $4, metadata_url = $5, attribute_mapping = $6, name_id_format = $7, updated_at = $3
        where sso_provider_id = $1`,
      values: [
        provider.id,
        provider.disabled,
        now,
        provider.metadataXml,
        provider.metadataUrl,
        JSON.stringify(provider.attributeMapping),
        provider.nameIdFormat,
      ],
    });
    await setDomains(tx, provider, now);
  });
}

/** Keeps metadata that were read again. False where an operator has put others in their place meanwhile. */
export async function renewMetadata(
  tx: Transaction,
  { id, metadataXml, metadataUrl }: Pick<SsoProvider, 'id' | 'metadataXml' | 'metadataUrl'>,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    text: `update auth.saml_providers set metadata_xml = $2, updated_at = $3
      where sso_provider_id = $1 and metadata_url = $4`,
    values: [id, metadataXml, now, metadataUrl],
  });
  return rowCount === 1;
}

export async function deleteSsoProvider(tx: Transaction, id: string): Promise<void> {
  await tx.query({ text: 'delete from auth.sso_providers where id = $1', values: [id] });
}

async function setDomains(
  tx: Transaction,
  { id, domains }: Pick<SsoProvider, 'id' | 'domains'>,
  now: Date,
): Promise<void> {
  await tx.query({
    text: 'delete from auth.sso_domains where sso_provider_id = $1 and lower(domain) <> all ($2::text[])',
    values: [id, domains],
  });
  for (const domain of domains)
    await tx.query({
      text: `insert into auth.sso_domains (id, sso_provider_id, domain, created_at, updated_at)
        select $1, $2, $3, $4, $4
        where not exists (select from auth.sso_domains where sso_provider_id = $2 and lower(domain) = $3)`,
      values: [randomUUID(), id, domain, now],
    });
}

const TAKEN: Readonly<Record<string, 'saml_idp_already_exists' | 'sso_domain_already_exists'>> = {
  saml_providers_entity_id_key: 'saml_idp_already_exists',
  sso_domains_domain_idx: 'sso_domain_already_exists',
};

async function refuseTaken(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (cause) {
    const code = cause instanceof pg.DatabaseError ? TAKEN[cause.constraint ?? ''] : undefined;
    if (code) throw new AuthError(code, { cause });
    throw cause;
  }
}
