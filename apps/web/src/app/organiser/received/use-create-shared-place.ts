import { CATEGORY_MESSAGES } from '@linkoteca/domain/messages/category-messages';
import { describeFullFolder } from '@linkoteca/domain/messages/folder-sharing-messages';
import { SERVICE_WORDS } from '@linkoteca/domain/messages/service-messages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { useCreateSharedCategory } from '../../../features/categories/api/create-shared-category.ts';
import type { CreatePlace } from '../../../features/links/model/new-category.ts';
import { describeServiceFailure } from '../../../shared/lib/describe-service-failure.ts';
import { createId } from '../../../shared/lib/writes/create-id.ts';

/** Makes a category in a shared folder for links that wait for it. Of a full plan, which is the owner's, it says so in words. */
export function useCreateSharedPlace(): CreatePlace {
  const { mutateAsync } = useCreateSharedCategory();
  return async (place) => {
    const id = createId();
    const failed = (reason: string) =>
      ({ kind: 'failed', reason: `${CATEGORY_MESSAGES.createFailed}. ${reason}` }) as const;
    if (place.folderId === null) return failed(CATEGORY_MESSAGES.notFound);
    try {
      await mutateAsync({ id, name: place.name, description: null, folder_id: place.folderId });
    } catch (error) {
      const refusal = readRefusal(error);
      if (refusal.kind === 'category_limit') return failed(describeFullFolder(refusal.max, 'categories'));
      return failed(describeServiceFailure(error, SERVICE_WORDS.category.create, 'Tente de novo.'));
    }
    return { kind: 'created', id };
  };
}
