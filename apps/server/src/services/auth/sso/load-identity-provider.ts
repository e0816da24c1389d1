import { boundedFetch } from '../../../kernel/bounded-fetch.ts';
import { asAuthAdmin } from '../../../kernel/database.ts';
import type { AuthContext } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { type IdentityProvider, readIdentityProvider } from './identity-provider.ts';
import { findSsoProvider, renewMetadata, type SsoProvider } from './sso-store.ts';

/** Metadata that are read from an address are read again once a day: keys change. (Source: GoTrue, `IsSAMLMetadataStale`.) */
const FRESH_MS = 24 * 3_600_000;
const PATIENCE_MS = 5_000;

/** Reads metadata where they are published. @throws saml_metadata_fetch_failed */
export async function fetchMetadata(address: string): Promise<string> {
  try {
    const response = await boundedFetch(address, {
      headers: { accept: 'application/samlmetadata+xml, application/xml' },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (response.status !== 200) throw new Error(`HTTP ${response.status}`);
    return await response.text();
  } catch (cause) {
    throw new AuthError('saml_metadata_fetch_failed', { cause });
  }
}

/**
 * The identity provider of an organisation, by what it publishes today. One that cannot be reached is taken as it was read last.
 * @throws sso_provider_disabled; unexpected_failure for metadata that are worth nothing any more
 */
export async function loadIdentityProvider(
  context: Pick<AuthContext, 'db' | 'now' | 'logger'>,
  provider: SsoProvider,
): Promise<IdentityProvider> {
  if (provider.disabled) throw new AuthError('sso_provider_disabled');
  const xml = (await readAgain(context, provider)) ?? provider.metadataXml;
  const read = readIdentityProvider(xml, context.now());
  if (!read.ok) throw new AuthError('unexpected_failure', { cause: new Error(read.fault) });
  return { ...read.provider, nameIdFormat: provider.nameIdFormat ?? undefined };
}

async function readAgain(
  { db, now, logger }: Pick<AuthContext, 'db' | 'now' | 'logger'>,
  { id, entityId, metadataUrl, metadataAt }: SsoProvider,
): Promise<string | undefined> {
  if (metadataUrl === null || now().getTime() < metadataAt.getTime() + FRESH_MS) return undefined;
  try {
    const metadataXml = await fetchMetadata(metadataUrl);
    const read = readIdentityProvider(metadataXml, now());
    if (!read.ok) throw new Error(read.fault);
    if (read.provider.entityId !== entityId) throw new Error('the metadata are of somebody else');
    return await asAuthAdmin(db, 'keep metadata that were read again', async (tx) => {
      const isKept = await renewMetadata(tx, { id, metadataXml, metadataUrl }, now());
      return isKept ? metadataXml : (await findSsoProvider(tx, { id }))?.metadataXml;
    });
  } catch (err) {
    logger.warn({ err, provider: id }, 'auth: the metadata of an identity provider could not be read again');
    return undefined;
  }
}
