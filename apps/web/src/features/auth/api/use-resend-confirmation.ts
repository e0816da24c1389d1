import type { CaptchaOption } from '../../../shared/lib/captcha/captcha-widget.ts';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { confirmationAddress } from '../model/link-addresses.ts';

/** Sends the confirmation mail again. Rejects with AuthError. */
export function useResendConfirmation() {
  const { auth } = useBackend();
  return async (email: string, from: string | undefined, captcha: CaptchaOption) => {
    const options = { emailRedirectTo: confirmationAddress(from), ...captcha };
    const { error } = await auth.resend({ type: 'signup', email, options });
    if (error) throw error;
  };
}
