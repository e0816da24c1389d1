import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';

/** Spends a reset mail's token: the session is then that of its account. Rejects with AuthError. */
export function useRedeemReset() {
  const { auth } = useBackend();
  return async (tokenHash: string) => {
    const { error } = await auth.verifyOtp({ type: 'recovery', token_hash: tokenHash });
    if (error) throw error;
  };
}
