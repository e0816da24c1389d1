import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { googleReturnAddress } from '../model/link-addresses.ts';

/** Leaves for Google and comes back to /login, which leads on to where the person came `from`. Rejects with AuthError when it cannot leave. */
export function useSignInWithGoogle() {
  const { auth } = useBackend();
  return async (from: string | undefined) => {
    const redirectTo = googleReturnAddress(from);
    const { error } = await auth.signInWithOAuth({ provider: 'google', options: { redirectTo } });
    if (error) throw error;
  };
}
