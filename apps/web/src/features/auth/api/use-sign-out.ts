import { ACCOUNT_MESSAGES } from '@linkoteca/domain/account-messages';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSessionStore } from '../../../shared/lib/session/session-context.tsx';
import { toast } from '../../../shared/ui/toast.ts';

/** Signs out with its toasts and forgets everything that was read. The guard then leads to /login. */
export function useSignOut() {
  const session = useSessionStore();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const error = await session.signOut();
      if (error) throw error;
    },
    onSuccess: () => {
      queryClient.clear();
      toast.success(ACCOUNT_MESSAGES.signOut.done.title, ACCOUNT_MESSAGES.signOut.done.description);
    },
    onError: () =>
      toast.error(ACCOUNT_MESSAGES.signOut.failed.title, ACCOUNT_MESSAGES.signOut.failed.description),
  });
}
