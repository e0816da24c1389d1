import { useMutation } from '@tanstack/react-query';
import type { CaptchaOption } from '../../../shared/lib/captcha/captcha-widget.ts';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';

/** Mails a link for choosing a password to somebody who has none. Rejects with AuthError. */
export function useCreatePassword(email: string) {
  const { auth } = useBackend();
  return useMutation({
    mutationFn: async (captcha: CaptchaOption) => {
      const options = { redirectTo: `${window.location.origin}/change-password`, ...captcha };
      const { error } = await auth.resetPasswordForEmail(email, options);
      if (error) throw error;
    },
  });
}
