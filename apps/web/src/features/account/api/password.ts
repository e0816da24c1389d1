import type { SettingsPasswordForm } from '@linkoteca/domain/fields';
import type { GoTrueClient } from '@supabase/auth-js';
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
      if (await hasSecondFactor(auth)) return changeInSession(auth, currentPassword, newPassword);
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

/** Another sign-in would be one of the first level, in place of the session that has proven the second factor. */
export async function hasSecondFactor(auth: GoTrueClient): Promise<boolean> {
  const { data } = await auth.getSession();
  return (data.session?.user.factors ?? []).some(({ status }) => status === 'verified');
}

/** The service itself compares the current password, in this session. */
async function changeInSession(auth: GoTrueClient, current: string, password: string): Promise<void> {
  const { error } = await auth.updateUser({ password, current_password: current });
  if (error?.code === 'current_password_invalid') throw new WrongCurrentPassword();
  if (error) throw error;
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
