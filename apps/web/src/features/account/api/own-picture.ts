import { queryOptions, useQuery } from '@tanstack/react-query';
import { toDataAddress } from '../../../shared/lib/pictures/data-address.ts';
import type { Person } from '../../../shared/lib/session/read-person.ts';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { FILES_BUCKET } from '../../../shared/lib/supabase/file-storage.ts';
import { useAuthorizedFetch } from '../../../shared/lib/supabase/use-authorized-fetch.ts';

/** First word of the key of a person's picture in the cache. */
export const PICTURE_KEY = 'own-picture';

/** Where a picture is kept: always in the folder of the person it is of, whatever their metadata say. */
export function pictureName(userId: string, path: string): string {
  return `${userId}/${path}`;
}

/**
 * Reads the picture that somebody chose, from their own folder.
 * @throws what fetch throws, and Error where the service does not give it.
 */
export function useReadPicture() {
  const { config } = useBackend();
  const send = useAuthorizedFetch();
  return async (userId: string, path: string, signal: AbortSignal): Promise<string> => {
    const name = pictureName(userId, path);
    const address = `${config.supabaseUrl}/storage/v1/object/authenticated/${FILES_BUCKET}/${name}`;
    const answer = await send(address, { signal });
    if (!answer.ok) throw new Error(`the picture was answered with ${answer.status}`);
    return toDataAddress(await answer.blob());
  };
}

/**
 * The address of the person's picture: their own, read with their token from the private bucket, else that of the provider they sign
 * in with; undefined where there is none, and while it is on its way.
 */
export function useOwnPicture({ id, ownPicture, picture }: Person): string | undefined {
  const read = useReadPicture();
  const query = useQuery(
    queryOptions({
      queryKey: [PICTURE_KEY, id, ownPicture],
      queryFn: ({ signal }) => read(id, ownPicture ?? '', signal),
      enabled: ownPicture !== undefined,
      // Each picture has a name of its own, so what is there does not change.
      staleTime: Number.POSITIVE_INFINITY,
    }),
  );
  if (ownPicture === undefined || query.isError) return picture;
  return query.data;
}
