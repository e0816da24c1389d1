import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { log } from '../../../shared/lib/log.ts';
import { useSessionStore, useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';

/** One place where the account is signed in. */
export interface Device {
  readonly session_id: string;
  readonly is_current: boolean;
  readonly signed_in_at: string;
  readonly last_used_at: string;
  readonly user_agent: string | null;
  readonly network: string | null;
}

/** How the list is read: what another device does to it is not told, so it is never taken for fresh. */
export function devicesOptions(database: DatabaseClient, userId: string) {
  return queryOptions({
    queryKey: ['devices', userId],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<readonly Device[]> =>
      (await database.rpc('list_devices').abortSignal(signal).throwOnError()).data,
  });
}

/** Where the person is signed in: this device first, then those used last. */
export function useDevices() {
  return useQuery(devicesOptions(useDatabase(), useUserId()));
}

/** Signs the person out of another device; it goes from the list at once. Resolves to false when it was gone before. */
export function useEndDevice() {
  const database = useDatabase();
  const queryClient = useQueryClient();
  const { queryKey } = devicesOptions(database, useUserId());
  return useMutation({
    mutationFn: async ({ session_id }: Device): Promise<boolean> =>
      (await database.rpc('end_device', { session_id }).throwOnError()).data,
    onSuccess: (_ended, { session_id }) =>
      queryClient.setQueryData(queryKey, (devices) =>
        devices?.filter((device) => device.session_id !== session_id),
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}

/**
 * Signs the person out of all other devices, or of all. The database tells the pages that are open there to look whether they are
 * still inside. Rejects with AuthError or PostgrestError.
 */
export function useEndDevices() {
  const session = useSessionStore();
  const database = useDatabase();
  const queryClient = useQueryClient();
  const { queryKey } = devicesOptions(database, useUserId());
  const endOthers = () => database.rpc('end_other_devices').throwOnError();

  return useMutation({
    mutationFn: async (scope: 'others' | 'global') => {
      if (scope === 'others') return void (await endOthers());
      // Signing out ends them all; only the word to their pages would be missing.
      await Promise.resolve(endOthers()).catch((reason: unknown) =>
        log.warn('other devices could not be told', reason),
      );
      const error = await session.signOut('global');
      if (error) throw error;
    },
    onSuccess: (_done, scope) =>
      scope === 'others' ? queryClient.invalidateQueries({ queryKey }) : undefined,
  });
}
