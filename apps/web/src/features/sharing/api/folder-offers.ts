import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';

/** A folder of somebody else's that the person may have. */
export interface AvailableFolder {
  readonly id: string;
  readonly name: string;
  readonly ownerName: string | null;
  /** Left behind by a closed account, and not offered. */
  readonly isClosed: boolean;
  readonly categoryCount: number;
  readonly linkCount: number;
  /** The hint of the refusal, where the plan has no room for it. */
  readonly refusal: string | null;
}

/** Made outdated with what others share: members' rows tell of offers. */
const availableKey = ['received-shares', 'available'] as const;
const offerKey = (folderId: string) => ['folder-offer', folderId] as const;

/** The folders that are offered to the person or left behind. */
export function useAvailableFolders() {
  const database = useDatabase();
  return useQuery({
    queryKey: availableKey,
    queryFn: async ({ signal }): Promise<readonly AvailableFolder[]> => {
      const { data } = await database.rpc('available_folders').abortSignal(signal).throwOnError();
      return data.map((row) => ({
        id: row.folder_id,
        name: row.name,
        ownerName: row.owner_name,
        isClosed: row.is_closed,
        categoryCount: row.category_count,
        linkCount: row.link_count,
        refusal: row.refusal,
      }));
    },
  });
}

/** To whom one's own folder is offered; null: to nobody. Read anew for each opening. */
export function useFolderOffer(folderId: string) {
  const database = useDatabase();
  return useQuery({
    queryKey: offerKey(folderId),
    queryFn: async ({ signal }): Promise<string | null> => {
      const { data } = await database
        .rpc('folder_offer', { folder_id: folderId })
        .abortSignal(signal)
        .throwOnError();
      return data;
    },
    staleTime: 0,
    gcTime: 0,
  });
}

/** What is done with offers. Each throws the table API's error. */
export function useFolderOfferWrites() {
  const database = useDatabase();
  const queryClient = useQueryClient();
  const settle = () =>
    Promise.all(
      [availableKey, ['folder-offer']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
    );
  return {
    offer: useMutation({
      mutationKey: ['folder-offer', 'write'],
      mutationFn: async ({ folderId, email }: { readonly folderId: string; readonly email: string }) =>
        void (await database.rpc('offer_folder', { folder_id: folderId, email }).throwOnError()),
      onSettled: settle,
    }),
    /** By the owner, or by whom it was made to. */
    end: useMutation({
      mutationKey: ['folder-offer', 'write'],
      mutationFn: async (folderId: string) =>
        void (await database.rpc('end_folder_offer', { folder_id: folderId }).throwOnError()),
      onSettled: settle,
    }),
    take: useMutation({
      mutationKey: ['folder-offer', 'take'],
      mutationFn: async (folderId: string) =>
        void (await database.rpc('take_folder', { folder_id: folderId }).throwOnError()),
      // The whole library has another folder, and what others share one less.
      onSuccess: () => queryClient.invalidateQueries(),
      onError: settle,
    }),
  };
}
