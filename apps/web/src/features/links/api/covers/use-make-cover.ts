import { useQueryClient } from '@tanstack/react-query';
import { toDataAddress } from '../../../../shared/lib/pictures/data-address.ts';
import type { Link } from '../../../../shared/lib/rows.ts';
import { useBackend, useDatabase } from '../../../../shared/lib/supabase/backend-context.tsx';
import { useAuthorizedFetch } from '../../../../shared/lib/supabase/use-authorized-fetch.ts';
import { drawCover } from '../../model/covers/draw-cover.ts';
import { COVER_IMAGE_KEY, useCoverFiles } from './cover-files.ts';
import { fetchPageImage, type PageImage } from './fetch-page-image.ts';
import { type Cover, coverKey, linksSettled } from './read-covers.ts';

/** `kept`: it is there, and shown. */
export type MadeCover = { readonly kind: 'kept' } | Exclude<PageImage, { kind: 'found' }>;

export interface CoverMaking {
  /** Asks the page for its image, and keeps it. @throws FullStorageError, or the table API's error where the link is gone. */
  readonly make: (link: Link) => Promise<MadeCover>;
  /** Keeps this picture. @throws as `make`. */
  readonly keep: (link: Link, picture: Blob) => Promise<void>;
  /** Nothing is shown any more, and the page is not asked again by itself. @throws the table API's error. */
  readonly remove: (link: Link) => Promise<void>;
}

/**
 * Makes the covers of somebody's own links. First the file, then the word that it is there: a word without a file never exists, and a file
 * without a word is written over by the next, or goes with its link.
 */
export function useMakeCover(ownerId: string, draw: typeof drawCover = drawCover): CoverMaking {
  const { config } = useBackend();
  const database = useDatabase();
  const send = useAuthorizedFetch();
  const files = useCoverFiles();
  const queryClient = useQueryClient();
  const pathOf = (link: Link) => `${ownerId}/covers/${link.id}`;

  const note = async (link: Link, state: Exclude<Cover['state'], 'unknown'>, address?: string) => {
    const { data: triedAt } = await database.rpc('note_cover', { link_id: link.id, state }).throwOnError();
    const path = state === 'image' ? pathOf(link) : null;
    // There at once: it need not come back from where it was just sent.
    if (address !== undefined) queryClient.setQueryData([COVER_IMAGE_KEY, path, triedAt], address);
    const key = coverKey({ categoryId: link.category_id, linkId: link.id, url: link.url });
    const before = queryClient.getQueryData<Cover>(key);
    queryClient.setQueryData<Cover>(key, { state, path, triedAt });
    // What is left goes by itself within days; this is sooner.
    if (state !== 'image' && before?.path) await files.remove(before.path).catch(() => undefined);
  };
  const keep = async (link: Link, picture: Blob) => {
    const path = pathOf(link);
    await files.write(path, picture);
    try {
      await note(link, 'image', await toDataAddress(picture));
    } catch (error) {
      await files.remove(path).catch(() => undefined);
      throw error;
    }
  };
  return {
    keep,
    make: async (link) => {
      const found = await fetchPageImage(send, config.supabaseUrl, link.url);
      if (found.kind === 'busy' || found.kind === 'unavailable') return found;
      const picture = found.kind === 'found' ? await draw(found.image) : null;
      await linksSettled(queryClient);
      if (picture === null) {
        await note(link, 'none');
        return { kind: 'none' };
      }
      await keep(link, picture);
      return { kind: 'kept' };
    },
    remove: (link) => note(link, 'removed'),
  };
}
