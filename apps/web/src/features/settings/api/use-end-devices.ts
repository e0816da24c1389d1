import { useMutation, useQueryClient } from '@tanstack/react-query';
import { log } from '../../../shared/lib/log.ts';
import { useSessionStore, useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useBackend, useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { useAuthorizedFetch } from '../../../shared/lib/supabase/use-authorized-fetch.ts';
import { devicesOptions } from './use-devices.ts';

/**
 * Signs the person out of all other devices, or of all. Pages that are open there are told to look whether they are still
 * inside; those that cannot be told find out by themselves a little later. Rejects with AuthError.
 */
export function useEndDevices() {
  const { config, auth } = useBackend();
  const session = useSessionStore();
  const send = useAuthorizedFetch();
  const queryClient = useQueryClient();
  const { queryKey } = devicesOptions(useDatabase(), useUserId());

  const tell = (ids: readonly string[]) =>
    send(`${config.supabaseUrl}/realtime/v1/api/broadcast`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        messages: ids.map((id) => ({ topic: `session:${id}`, event: 'ended', payload: {}, private: false })),
      }),
    }).catch((reason: unknown) => log.warn('other devices could not be told', reason));

  return useMutation({
    mutationFn: async (scope: 'others' | 'global') => {
      const devices = queryClient.getQueryData(queryKey) ?? [];
      const others = devices.filter((device) => !device.is_current).map((device) => device.session_id);
      const error =
        scope === 'global' ? await session.signOut('global') : (await auth.signOut({ scope })).error;
      if (error) throw error;
      if (others.length > 0) await tell(others);
    },
    onSuccess: (_done, scope) =>
      scope === 'others' ? queryClient.invalidateQueries({ queryKey }) : undefined,
  });
}
