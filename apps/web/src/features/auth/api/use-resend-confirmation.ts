import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { confirmationAddress } from '../model/link-addresses.ts';

/** Sends the confirmation mail again. Rejects with AuthError. */
export function useResendConfirmation() {
  const { auth } = useBackend();
  return async (email: string) => {
    const options = { emailRedirectTo: confirmationAddress() };
    const { error } = await auth.resend({ type: 'signup', email, options });
    if (error) throw error;
  };
}
