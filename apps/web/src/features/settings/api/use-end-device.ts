import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { type Device, devicesOptions } from './use-devices.ts';

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
