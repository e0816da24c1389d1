import { useQuery } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';

/** Whether the signed-in person administers this installation: asked of the database, again when the window comes back. */
export function useAdminCheck() {
  const database = useDatabase();
  return useQuery({
    queryKey: ['admin', useUserId(), 'check'],
    queryFn: async ({ signal }) => {
      const { data } = await database.rpc('is_admin').abortSignal(signal).throwOnError();
      return data === true;
    },
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  });
}
