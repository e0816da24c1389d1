import { toDataAddress } from '../../../../shared/lib/pictures/data-address.ts';
import { useBackend } from '../../../../shared/lib/supabase/backend-context.tsx';
import { FILES_BUCKET, readStorageRefusal } from '../../../../shared/lib/supabase/file-storage.ts';
import { useAuthorizedFetch } from '../../../../shared/lib/supabase/use-authorized-fetch.ts';
import type { Cover } from './read-covers.ts';

/** The first word of the key of a cover's image in the cache. */
export const COVER_IMAGE_KEY = 'cover-image';

export interface CoverFiles {
  /** As an address that a page can show; null where the file is gone, as with a link that came back late. @throws what fetch throws. */
  readonly read: (cover: Cover, signal: AbortSignal) => Promise<string | null>;
  /** @throws FullStorageError, or what fetch throws. */
  readonly write: (path: string, picture: Blob) => Promise<void>;
  readonly remove: (path: string) => Promise<void>;
}

/** The files of covers, as whoever looks: the database says what they may see. */
export function useCoverFiles(): CoverFiles {
  const { config } = useBackend();
  const send = useAuthorizedFetch();
  const storage = `${config.supabaseUrl}/storage/v1/object`;
  return {
    read: async ({ path, triedAt }, signal) => {
      // The name stays when the image changes: the moment tells a browser's own cache one from the other.
      const version = new URLSearchParams({ v: triedAt ?? '' });
      const answer = await send(`${storage}/authenticated/${FILES_BUCKET}/${path}?${version}`, { signal });
      if (answer.status === 400 || answer.status === 404) return null;
      if (!answer.ok) throw new Error(`the cover was answered with ${answer.status}`);
      return toDataAddress(await answer.blob());
    },
    write: async (path, picture) => {
      const answer = await send(`${storage}/${FILES_BUCKET}/${path}`, {
        method: 'POST',
        headers: { 'content-type': picture.type, 'cache-control': 'max-age=31536000', 'x-upsert': 'true' },
        body: picture,
      });
      if (!answer.ok) throw await readStorageRefusal(answer);
    },
    remove: async (path) => {
      await send(`${storage}/${FILES_BUCKET}`, {
        method: 'DELETE',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ prefixes: [path] }),
      });
    },
  };
}
