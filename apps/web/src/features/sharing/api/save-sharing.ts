import type { SharingMode } from '@linkoteca/domain/sharing';
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import type { OptimisticWrite } from '../../../shared/lib/writes/optimistic-write.ts';
import { type Sharing, sharingKey } from './load-sharing.ts';
import { type SharedSubject, useNotifyInvited } from './notify-invited.ts';

interface SharingChange {
  readonly category: SharedSubject;
  readonly mode: SharingMode;
  /** The whole list; ignored unless restricted. */
  readonly emails: readonly string[];
}

interface SavedSharing extends Sharing {
  /** Invited by this very save. */
  readonly added: readonly string[];
}

const SAVE_KEY = ['sharing', 'save'] as const;

/** Shows how a category is shared ahead of the server. */
export type BeginShowSharing = (categoryId: string, mode: SharingMode) => Promise<OptimisticWrite>;

/**
 * Saves mode and list in one call: both or, refused, neither.
 * @throws the table API's error; P0001 with hint plan_sharing where the plan does not allow it.
 */
async function saveSharing(
  database: DatabaseClient,
  { category, mode, emails }: SharingChange,
): Promise<SavedSharing> {
  const { data } = await database
    .rpc('save_sharing', {
      category_id: category.id,
      is_public: mode === 'public',
      emails: mode === 'restricted' ? [...emails] : [],
    })
    .throwOnError();
  return readSaved(data);
}

function readSaved(answer: unknown): SavedSharing {
  const { is_public, emails, added } = (answer ?? {}) as Record<string, unknown>;
  return { is_public: is_public === true, emails: readTexts(emails), added: readTexts(added) };
}

function readTexts(values: unknown): readonly string[] {
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
}

/** Saves how a category is shared; the lists show it before the server has answered. New addresses get their mail. */
export function useSaveSharing(beginShow: BeginShowSharing) {
  const database = useDatabase();
  const userId = useUserId();
  const queryClient = useQueryClient();
  const notify = useNotifyInvited();
  return useMutation({
    mutationKey: SAVE_KEY,
    mutationFn: (change: SharingChange) => saveSharing(database, change),
    onMutate: ({ category, mode }) => beginShow(category.id, mode),
    onSuccess: ({ added, ...stored }, { category }) => {
      queryClient.setQueryData<Sharing>(sharingKey(userId, category.id), stored);
      void notify(category, added);
    },
    onError: (_error, _change, shown) => shown?.undo(),
    onSettled: (_data, _error, _change, shown) => shown?.settle(),
  });
}

/** Whether the server has yet to answer a save: what is shown ahead of it opens for nobody else. */
export function useIsSavingSharing(): boolean {
  return useIsMutating({ mutationKey: SAVE_KEY }) > 0;
}
