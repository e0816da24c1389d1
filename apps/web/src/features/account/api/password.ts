import type { SettingsPasswordForm } from '@linkoteca/domain/fields';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CaptchaOption } from '../../../shared/lib/captcha/captcha-widget.ts';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';

/** Thrown when the current password was not the account's. */
export class WrongCurrentPassword extends Error {
  override name = 'WrongCurrentPassword';
}

type PasswordChange = SettingsPasswordForm & { readonly captcha: CaptchaOption };

/** Verifies the current password by signing in again with the account's e-mail, then sets the new one. */
export function useChangePassword(email: string) {
  const { auth } = useBackend();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ currentPassword, newPassword, captcha }: PasswordChange) => {
      const check = await auth.signInWithPassword({
        email,
        password: currentPassword,
        ...(captcha.captchaToken === undefined ? {} : { options: captcha }),
      });
      if (check.error?.code === 'invalid_credentials') throw new WrongCurrentPassword();
      if (check.error) throw check.error;
      const { error } = await auth.updateUser({ password: newPassword });
      if (error) throw error;
    },
    // A new password ends all other sessions; the check itself has opened one.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['devices'] }),
  });
}

/** Mails a link for choosing a password to somebody who has none. Rejects with AuthError. */
export function useCreatePassword(email: string) {
  const { auth } = useBackend();
  return useMutation({
    mutationFn: async (captcha: CaptchaOption) => {
      const options = { redirectTo: `${window.location.origin}/change-password?by=token`, ...captcha };
      const { error } = await auth.resetPasswordForEmail(email, options);
      if (error) throw error;
    },
  });
}
