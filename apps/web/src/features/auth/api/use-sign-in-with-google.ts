import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { googleReturnAddress } from '../model/link-addresses.ts';

/**
 * Leaves for Google and comes back to /login, which leads on to where the person came `from`. `email`: the account that is meant,
 * where that is known. Rejects with AuthError when it cannot leave.
 */
export function useSignInWithGoogle() {
  const { auth } = useBackend();
  return async (from: string | undefined, email?: string) => {
    const redirectTo = googleReturnAddress(from);
    const queryParams = email === undefined ? {} : { queryParams: { login_hint: email } };
    const { error } = await auth.signInWithOAuth({
      provider: 'google',
      options: { redirectTo, ...queryParams },
    });
    if (error) throw error;
  };
}
