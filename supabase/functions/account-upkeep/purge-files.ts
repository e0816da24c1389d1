import { nameFailure } from '../_shared/answer-payment-failure.ts';
import { callAsService, type DatabaseAccess } from '../_shared/call-database.ts';

type StoredFile = { readonly bucket_id: string; readonly name: string };

/** Names may be long, and a request must not be larger than the gateway takes. */
const BATCH = 200;
const PATIENCE_MS = 30_000;

/**
 * Deletes the files of an account that is being purged, bytes and all, through the storage service: rows alone would leave the bytes.
 * @returns whether nothing is left; if not, the next round goes on.
 * @throws InstallationUnreachable
 */
export async function purgeFiles(
  access: DatabaseAccess,
  user_id: string,
  mayGoOn: () => boolean,
): Promise<boolean> {
  while (mayGoOn()) {
    const files = (await callAsService(access, 'list_files_to_purge', {
      user_id,
      max: BATCH,
    })) as readonly StoredFile[];
    const [first] = files;
    if (first === undefined) return true;
    const names = files.filter(({ bucket_id }) => bucket_id === first.bucket_id).map(({ name }) => name);
    const refusal = await deleteFiles(access, first.bucket_id, names);
    if (refusal !== undefined) {
      console.error('files of a deleted account could not be deleted:', refusal);
      return false;
    }
  }
  return false;
}

/** The bucket of people's files (supabase/migrations/20261123002000_keep_files.sql). */
const BUCKET = 'arquivos';

/**
 * Deletes the covers of links that have been gone for a day. What cannot be deleted is left to the next round.
 * @throws InstallationUnreachable
 */
export async function purgeLeftoverCovers(access: DatabaseAccess, mayGoOn: () => boolean): Promise<void> {
  while (mayGoOn()) {
    const covers = (await callAsService(access, 'list_leftover_covers', { max: BATCH })) as readonly {
      readonly name: string;
    }[];
    if (covers.length === 0) return;
    const names = covers.map(({ name }) => name);
    const refusal = await deleteFiles(access, BUCKET, names);
    if (refusal !== undefined) {
      console.error('covers of deleted links could not be deleted:', refusal);
      return;
    }
  }
}

/** @returns why nothing was deleted; undefined when something was. */
async function deleteFiles(
  { fetch, url, key }: DatabaseAccess,
  bucket: string,
  prefixes: readonly string[],
): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/storage/v1/object/${encodeURIComponent(bucket)}`, {
      method: 'DELETE',
      headers: { apikey: key, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prefixes }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (!response.ok) return `status ${response.status}`;
    const deleted = (await response.json()) as readonly unknown[];
    return deleted.length === 0 ? 'none was found' : undefined;
  } catch (error) {
    return nameFailure(error);
  }
}
