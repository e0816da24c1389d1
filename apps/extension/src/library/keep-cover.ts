import type { Connection } from '../session/session-store.ts';
import { openDatabase } from '../session/tokens.ts';

/** Where people's files are. */
const FILES_BUCKET = 'arquivos';
/** Milliseconds for sending a cover, after which the link is without one. */
const PATIENCE_MS = 5_000;

/**
 * Keeps a link's cover: first the file, then the word that it is there. One that is there already stays.
 * @returns whether it is kept; not where the link is gone, the storage full, or the connection may not.
 * @throws TypeError, DOMException where nobody answers.
 */
export async function keepCover(connection: Connection, linkId: string, cover: Blob): Promise<boolean> {
  const { installation, session } = connection;
  const name = `${session.userId}/covers/${linkId}`;
  const sent = await fetch(`${installation.servicesUrl}/storage/v1/object/${FILES_BUCKET}/${name}`, {
    method: 'POST',
    headers: {
      apikey: installation.anonKey,
      authorization: `Bearer ${session.accessToken}`,
      'content-type': cover.type,
      'cache-control': 'max-age=31536000',
    },
    body: cover,
    credentials: 'omit',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!sent.ok) return false;
  const { error } = await openDatabase(connection).rpc('note_cover', { link_id: linkId, state: 'image' });
  return error === null;
}
