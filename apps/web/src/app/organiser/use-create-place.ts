import { CATEGORY_MESSAGES } from '@linkoteca/domain/messages/category-messages';
import { describeFullPlan } from '@linkoteca/domain/messages/plan-messages';
import { SERVICE_WORDS } from '@linkoteca/domain/messages/service-messages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { useRef } from 'react';
import { useCategoryAllowance } from '../../features/account/api/usage.ts';
import { useCreateCategory } from '../../features/categories/api/create-category.ts';
import { useCreateFolder } from '../../features/folders/api/create-folder.ts';
import { findExceededLimit } from '../../features/links/model/link-allowance.ts';
import type { CreatePlace, NewPlace } from '../../features/links/model/new-category.ts';
import { describeServiceFailure } from '../../shared/lib/describe-service-failure.ts';
import { createId } from '../../shared/lib/writes/create-id.ts';
import { useLibraryCounting } from './use-library-counting.ts';

/** Makes a category for links that wait for it, and the folder around it where there is none. */
export function useCreatePlace(): CreatePlace {
  const counting = useLibraryCounting();
  const createFolder = useCreateFolder(counting.newFolder);
  const createCategory = useCreateCategory(counting.newCategory);
  const allowance = useCategoryAllowance();
  const idsOf = useKeptIds();

  const create: CreatePlace = async (place) => {
    const exceeded = findExceededLimit(allowance);
    if (exceeded !== null) return { kind: 'limit', max: exceeded };
    const ids = idsOf(place);
    try {
      if (place.folderId === null) await createFolder.mutateAsync({ id: ids.folder, name: place.folderName });
      await createCategory.mutateAsync({
        id: ids.category,
        name: place.name,
        description: null,
        folder_id: place.folderId ?? ids.folder,
      });
    } catch (error) {
      const refusal = readRefusal(error);
      if (refusal.kind === 'category_limit') return { kind: 'limit', max: refusal.max };
      const words = SERVICE_WORDS.category.create;
      const reason = describeServiceFailure(error, words, 'Tente de novo.');
      return { kind: 'failed', reason: `${CATEGORY_MESSAGES.createFailed}. ${reason}` };
    }
    return { kind: 'created', id: ids.category };
  };
  return Object.assign(create, { lock: describeFullPlan('maxCategories', allowance) });
}

/** Ids for a place, the same ones for the same place, so that making it again after a lost answer makes nothing twice. */
function useKeptIds() {
  const kept = useRef(new Map<string, { readonly folder: string; readonly category: string }>());
  return ({ folderId, name }: NewPlace) => {
    const key = `${folderId} ${name}`;
    const ids = kept.current.get(key) ?? { folder: createId(), category: createId() };
    kept.current.set(key, ids);
    return ids;
  };
}
