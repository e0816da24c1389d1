import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';

/** Sets a new password for the signed-in person. Rejects with AuthError. */
export function useSetPassword() {
  const { auth } = useBackend();
  return async (password: string) => {
    const { error } = await auth.updateUser({ password });
    if (error) throw error;
  };
}
