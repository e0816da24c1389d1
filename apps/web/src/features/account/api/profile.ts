import type { ProfileForm } from '@linkoteca/domain/fields';
import { useMutation } from '@tanstack/react-query';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';

/** Saves first and last name in the account's metadata; the session's person changes with it. Rejects with AuthError. */
export function useUpdateProfile() {
  const { auth } = useBackend();
  return useMutation({
    mutationFn: async ({ firstName, lastName }: ProfileForm) => {
      const { error } = await auth.updateUser({
        data: { firstName, lastName, name: `${firstName} ${lastName}` },
      });
      if (error) throw error;
    },
  });
}
