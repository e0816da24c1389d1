import { useMutation, useQueryClient } from '@tanstack/react-query';
import { log } from '../../../shared/lib/log.ts';
import { useSessionStore, useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { devicesOptions } from './use-devices.ts';

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
