import { useQuery } from '@tanstack/react-query';
import { useUserId } from '../lib/session/session-context.tsx';
import { useBackend } from '../lib/supabase/backend-context.tsx';
import { listOffered, SIGN_IN_PROVIDERS, type SignInProvider } from './sign-in-providers.tsx';

export interface SignInWays {
  /** Whether there is a password to be asked for; true until it is known. */
  readonly hasPassword: boolean;
  /** The other providers that lead into the account. */
  readonly providers: readonly SignInProvider[];
  /** The first of them that this installation offers. */
  readonly offered: SignInProvider | undefined;
}

/** How the person can prove who they are. Whoever came with another provider alone has no password, or has made one since. */
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
  const isUsed = ({ name }: SignInProvider) => data?.includes(name) ?? false;
  return {
    hasPassword: !data || data.length === 0 || data.includes('email'),
    providers: SIGN_IN_PROVIDERS.filter(isUsed),
    offered: listOffered(config).find(isUsed),
  };
}
