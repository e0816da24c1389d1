import { useQuery } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';

/** Whether the account was opened with a password; true as long as that is not known. Who came by Google may have made one since. */
export function useHasPassword(): boolean {
  const { auth } = useBackend();
  const { data } = useQuery({
    queryKey: ['providers', useUserId()],
    queryFn: async () => {
      const { data } = await auth.getSession();
      const providers: unknown = data.session?.user.app_metadata['providers'];
      return Array.isArray(providers) ? providers.map(String) : ['email'];
    },
  });
  return data?.includes('email') ?? true;
}
