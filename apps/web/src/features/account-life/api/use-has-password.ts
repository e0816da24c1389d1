import { useQuery } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';

/** Whether the person has a password to be asked for; true until it is known. Whoever came with Google alone has none. */
export function useHasPassword(): boolean {
  const { auth } = useBackend();
  const userId = useUserId();
  const { data } = useQuery({
    queryKey: ['has-password', userId],
    queryFn: async () => {
      const { data: answer } = await auth.getSession();
      const providers: unknown = answer.session?.user.app_metadata['providers'];
      return !Array.isArray(providers) || providers.length === 0 || providers.includes('email');
    },
  });
  return data ?? true;
}
