import type { SignUpForm } from '@linkoteca/domain/account-schema';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { confirmationAddress } from '../model/link-addresses.ts';

/**
 * Creates an account; the confirmation mail leads to /login. Rejects with AuthError. For an address that has an
 * account the service may answer with a made-up user without identities: that counts as 'already registered'.
 */
export function useSignUp() {
  const { auth } = useBackend();
  return async ({ name, email, password }: SignUpForm) => {
    const { data, error } = await auth.signUp({
      email,
      password,
      options: { data: { name }, emailRedirectTo: confirmationAddress() },
    });
    if (error) throw error;
    if (data.user?.identities?.length === 0) throw new Error('User already registered');
  };
}
