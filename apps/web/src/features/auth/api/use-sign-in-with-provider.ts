import type { Provider } from '@supabase/auth-js';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { providerReturnAddress } from '../model/link-addresses.ts';

/**
 * Leaves for a provider and comes back to /login, which leads on to where the person came `from`. `email`: the account that is meant,
 * where that is known. Rejects with AuthError when it cannot leave.
 */
export function useSignInWithProvider() {
  const { auth } = useBackend();
  return async (provider: string, from: string | undefined, email?: string) => {
    const redirectTo = providerReturnAddress(provider, from);
    const queryParams = email === undefined ? {} : { queryParams: { login_hint: email } };
    const { error } = await auth.signInWithOAuth({
      // The client lists the platform's providers; the service decides.
      provider: provider as Provider,
      options: { redirectTo, ...queryParams },
    });
    if (error) throw error;
  };
}
