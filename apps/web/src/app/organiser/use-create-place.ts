import { CATEGORY_MESSAGES } from '@linkoteca/domain/messages/category-messages';
import { describeFullPlan } from '@linkoteca/domain/messages/plan-messages';
import { SERVICE_WORDS } from '@linkoteca/domain/messages/service-messages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { useQueryClient } from '@tanstack/react-query';
import { useCategoryAllowance } from '../../features/account/api/usage.ts';
import { useCreateCategory } from '../../features/categories/api/create-category.ts';
import { categoryRows } from '../../features/categories/model/category-rows.ts';
import { useCreateFolder } from '../../features/folders/api/create-folder.ts';
import { folderRows } from '../../features/folders/model/folder-rows.ts';
import { findExceededLimit } from '../../features/links/model/link-allowance.ts';
import type { CreatePlace } from '../../features/links/model/new-category.ts';
import { describeServiceFailure } from '../../shared/lib/describe-service-failure.ts';
import { useUserId } from '../../shared/lib/session/session-context.tsx';
import { makeOnce } from '../../shared/lib/writes/make-once.ts';
import { useLibraryCounting } from './use-library-counting.ts';

/** Makes a category for links that wait for it, and the folder around it where there is none. */
export function useCreatePlace(): CreatePlace {
  const counting = useLibraryCounting();
  const createFolder = useCreateFolder(counting.newFolder);
  const createCategory = useCreateCategory(counting.newCategory);
  const allowance = useCategoryAllowance();
  const queryClient = useQueryClient();
  const userId = useUserId();

  const create: CreatePlace = async (place) => {
    const exceeded = findExceededLimit(allowance);
    if (exceeded !== null) return { kind: 'limit', max: exceeded };
    const { name, folderName } = place;
    try {
      const { find } = folderRows(queryClient, userId);
      const folder_id =
        place.folderId ??
        (await makeOnce(queryClient, { place: '', name: folderName, find }, (id) =>
          createFolder.mutateAsync({ id, name: folderName }),
        ));
      const inFolder = { place: folder_id, name, find: categoryRows(queryClient, userId).find };
      const made = await makeOnce(queryClient, inFolder, (id) =>
        createCategory.mutateAsync({ id, name, description: null, folder_id }),
      );
      return { kind: 'created', id: made };
    } catch (error) {
      const refusal = readRefusal(error);
      if (refusal.kind === 'category_limit') return { kind: 'limit', max: refusal.max };
      const words = SERVICE_WORDS.category.create;
      const reason = describeServiceFailure(error, words, 'Tente de novo.');
      return { kind: 'failed', reason: `${CATEGORY_MESSAGES.createFailed}. ${reason}` };
    }
  };
  return Object.assign(create, { lock: describeFullPlan('maxCategories', allowance) });
}
