import { isAuthRetryableFetchError } from '@supabase/auth-js';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as v from 'valibot';
import { log } from '../../../shared/lib/log.ts';
import { toDataAddress } from '../../../shared/lib/pictures/data-address.ts';
import type { Person } from '../../../shared/lib/session/read-person.ts';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { FILES_BUCKET, readStorageRefusal } from '../../../shared/lib/supabase/file-storage.ts';
import { useAuthorizedFetch } from '../../../shared/lib/supabase/use-authorized-fetch.ts';
import { createId } from '../../../shared/lib/writes/create-id.ts';
import { PICTURE_KEY, pictureName } from './own-picture.ts';

const FOLDER = 'avatar';
/** Pictures that one sweep finds; more than one is what an earlier one could not take away. */
const MOST_LEFT_OVER = 100;
/** A younger one may be what another tab or device is about to show. */
const LEFT_OVER_AFTER_MS = 60 * 60 * 1000;

const listed = v.array(v.object({ name: v.string(), created_at: v.string() }));

/** Keeps a picture in the person's own folder, and takes the one before it away. Rejects with FullStorageError, AuthError or fetch's own. */
export function useSavePicture(person: Person) {
  const { auth } = useBackend();
  const queryClient = useQueryClient();
  const files = usePictureFiles(person.id);
  return useMutation({
    mutationFn: async (picture: Blob) => {
      const path = `${FOLDER}/${createId()}.${picture.type === 'image/webp' ? 'webp' : 'jpg'}`;
      await files.add(path, picture);
      // There at once: it need not come back from where it was just sent.
      queryClient.setQueryData([PICTURE_KEY, person.id, path], await toDataAddress(picture));
      const { error } = await auth.updateUser({ data: { avatar_path: path } });
      if (error) {
        // Without an answer the account may name the new picture already.
        if (!isAuthRetryableFetchError(error)) await files.remove(path, person.ownPicture);
        throw error;
      }
      await files.remove(person.ownPicture, path);
      queryClient.removeQueries({ queryKey: [PICTURE_KEY], type: 'inactive' });
    },
  });
}

/** Takes the picture away, from the account first. */
export function useRemovePicture(person: Person) {
  const { auth } = useBackend();
  const queryClient = useQueryClient();
  const files = usePictureFiles(person.id);
  return useMutation({
    mutationFn: async () => {
      const { error } = await auth.updateUser({ data: { avatar_path: null } });
      if (error) throw error;
      await files.remove(person.ownPicture, undefined);
      queryClient.removeQueries({ queryKey: [PICTURE_KEY], type: 'inactive' });
    },
  });
}

/** The pictures in the folder of a person. */
function usePictureFiles(userId: string) {
  const { config } = useBackend();
  const send = useAuthorizedFetch();
  const storage = `${config.supabaseUrl}/storage/v1/object`;
  const sendJson = (method: string, address: string, body: object) =>
    send(address, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  return {
    add: async (path: string, picture: Blob): Promise<void> => {
      const answer = await send(`${storage}/${FILES_BUCKET}/${pictureName(userId, path)}`, {
        method: 'POST',
        headers: { 'content-type': picture.type, 'cache-control': 'max-age=31536000' },
        body: picture,
      });
      if (!answer.ok) throw await readStorageRefusal(answer);
    },
    /** Removes a picture, and what an earlier removal left. It is tidying: where it fails, the next one does it. */
    remove: async (path: string | undefined, kept: string | undefined): Promise<void> => {
      const before = Date.now() - LEFT_OVER_AFTER_MS;
      try {
        const found = await sendJson('POST', `${storage}/list/${FILES_BUCKET}`, {
          prefix: pictureName(userId, FOLDER),
          limit: MOST_LEFT_OVER,
          offset: 0,
        });
        const prefixes = v
          .parse(listed, await found.json())
          .map(({ name, created_at }) => ({
            name: `${FOLDER}/${name}`,
            old: Date.parse(created_at) < before,
          }))
          .filter(({ name, old }) => name !== kept && (name === path || old))
          .map(({ name }) => pictureName(userId, name));
        if (prefixes.length > 0) await sendJson('DELETE', `${storage}/${FILES_BUCKET}`, { prefixes });
      } catch (error) {
        log.warn('earlier pictures could not be removed', error);
      }
    },
  };
}
