import type { SettingsPasswordForm } from '@linkoteca/domain/account-schema';
import { useMutation } from '@tanstack/react-query';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';

/** Thrown when the current password was not the account's. */
export class WrongCurrentPassword extends Error {
  override name = 'WrongCurrentPassword';
}

/** Verifies the current password by signing in again with the account's e-mail, then sets the new one. */
export function useChangePassword(email: string) {
  const { auth } = useBackend();
  return useMutation({
    mutationFn: async ({ currentPassword, newPassword }: SettingsPasswordForm) => {
      const check = await auth.signInWithPassword({ email, password: currentPassword });
      if (check.error?.code === 'invalid_credentials') throw new WrongCurrentPassword();
      if (check.error) throw check.error;
      const { error } = await auth.updateUser({ password: newPassword });
      if (error) throw error;
    },
  });
}
