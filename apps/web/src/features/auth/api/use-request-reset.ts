import type { CaptchaOption } from '../../../shared/lib/captcha/captcha-widget.ts';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { resetAddress } from '../model/link-addresses.ts';

/** Asks for the reset mail; the answer is the same for unknown addresses. Rejects with AuthError. */
export function useRequestReset() {
  const { auth } = useBackend();
  return async (email: string, captcha: CaptchaOption) => {
    const options = { redirectTo: resetAddress(), ...captcha };
    const { error } = await auth.resetPasswordForEmail(email, options);
    if (error) throw error;
  };
}
