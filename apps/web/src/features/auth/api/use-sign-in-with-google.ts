import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';

/** Leaves for Google and comes back to `path` of this app, signed in. Rejects with AuthError when it cannot leave. */
export function useSignInWithGoogle() {
  const { auth } = useBackend();
  return async (path: string) => {
    const redirectTo = new URL(path, window.location.origin).href;
    const { error } = await auth.signInWithOAuth({ provider: 'google', options: { redirectTo } });
    if (error) throw error;
  };
}
