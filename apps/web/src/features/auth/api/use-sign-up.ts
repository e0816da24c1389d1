import type { SignUpForm } from '@linkoteca/domain/fields';
import type { CaptchaOption } from '../../../shared/lib/captcha/captcha-widget.ts';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { confirmationAddress } from '../model/link-addresses.ts';

/**
 * Creates an account; the confirmation mail leads to /login, and on to where the person came `from`. Rejects with AuthError. For an address that has an
 * account the service may answer with a made-up user without identities: that counts as 'already registered'. Where no address is to be
 * confirmed, the person has `entered`.
 */
export function useSignUp() {
  const { auth } = useBackend();
  return async ({ name, email, password }: SignUpForm, from: string | undefined, captcha: CaptchaOption) => {
    const { data, error } = await auth.signUp({
      email,
      password,
      options: { data: { name }, emailRedirectTo: confirmationAddress(from), ...captcha },
    });
    if (error) throw error;
    if (data.user?.identities?.length === 0) throw new Error('User already registered');
    return { entered: Boolean(data.session) };
  };
}
