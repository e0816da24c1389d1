import { CATEGORY_MESSAGES } from '@linkoteca/domain/messages/category-messages';
import { describeFullFolder } from '@linkoteca/domain/messages/folder-sharing-messages';
import { SERVICE_WORDS } from '@linkoteca/domain/messages/service-messages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import type { QueryClient } from '@tanstack/react-query';
import { createSharedCategory } from '../../../features/categories/api/create-shared-category.ts';
import type { ReceivedFolder } from '../../../features/categories/api/list-received-folders.ts';
import type { NewPlace, PlaceCreation } from '../../../features/links/model/new-category.ts';
import { describeServiceFailure } from '../../../shared/lib/describe-service-failure.ts';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { makeOnce } from '../../../shared/lib/writes/make-once.ts';

export interface SharedPlaceScope {
  readonly database: DatabaseClient;
  readonly queryClient: QueryClient;
  readonly userId: string;
}

/**
 * Makes a category in a shared folder for links that wait for it, and has the folder read again before it is done. Of a full plan, which is
 * the owner's, it says so in words.
 */
export async function createSharedPlace(
  { database, queryClient, userId }: SharedPlaceScope,
  place: NewPlace,
): Promise<PlaceCreation> {
  const failed = (reason: string) =>
    ({ kind: 'failed', reason: `${CATEGORY_MESSAGES.createFailed}. ${reason}` }) as const;
  const { name, folderId } = place;
  if (folderId === null) return failed(CATEGORY_MESSAGES.notFound);
  let id: string;
  try {
    const find = (made: string) => findReceived(queryClient, made);
    id = await makeOnce(queryClient, { place: folderId, name, find }, (made) =>
      createSharedCategory(database, userId, { id: made, name, description: null, folder_id: folderId }),
    );
  } catch (error) {
    const refusal = readRefusal(error);
    if (refusal.kind === 'category_limit') return failed(describeFullFolder(refusal.max, 'categories'));
    return failed(describeServiceFailure(error, SERVICE_WORDS.category.create, 'Tente de novo.'));
  }
  await queryClient.invalidateQueries({ queryKey: ['received-shares'] });
  return { kind: 'created', id };
}

/** A category of the shared folders that are shown. */
function findReceived(queryClient: QueryClient, id: string) {
  return queryClient
    .getQueriesData<readonly ReceivedFolder[]>({
      queryKey: ['received-shares'],
      predicate: ({ queryKey }) => queryKey.at(-1) === 'folders',
    })
    .flatMap(([, folders = []]) => folders)
    .flatMap(({ id: folder_id, categories }) => categories.map((one) => ({ ...one, folder_id })))
    .find((category) => category.id === id);
}
