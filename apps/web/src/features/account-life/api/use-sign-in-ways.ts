import { useQuery } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';

export interface SignInWays {
  /** Whether there is a password to be asked for; true until it is known. */
  readonly hasPassword: boolean;
  /** Whether Google lets the person in, here and now. */
  readonly hasGoogle: boolean;
}

/** How the person can prove who they are. Whoever came with Google alone has no password. */
export function useSignInWays(): SignInWays {
  const { auth, config } = useBackend();
  const userId = useUserId();
  const { data } = useQuery({
    queryKey: ['sign-in-ways', userId],
    queryFn: async () => {
      const { data: answer } = await auth.getSession();
      const providers: unknown = answer.session?.user.app_metadata['providers'];
      return Array.isArray(providers) ? providers.map(String) : [];
    },
  });
  return {
    hasPassword: !data || data.length === 0 || data.includes('email'),
    hasGoogle: config.googleEnabled && (data?.includes('google') ?? false),
  };
}
