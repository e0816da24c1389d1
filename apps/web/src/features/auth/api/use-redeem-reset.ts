import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';

/** Spends the token of a reset or an invitation: the session is then that of its account. Rejects with AuthError. */
export function useRedeemReset() {
  const { auth } = useBackend();
  return async (tokenHash: string, type: 'recovery' | 'invite') => {
    const { error } = await auth.verifyOtp({ type, token_hash: tokenHash });
    if (error) throw error;
  };
}
