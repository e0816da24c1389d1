import { ACCOUNT_MESSAGES } from '@linkoteca/domain/messages/account-messages';
import { useState } from 'react';
import { useSessionStore } from '../../../shared/lib/session/session-context.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';

const { done, failed } = ACCOUNT_MESSAGES.signOut;

/** Signing out, with its toasts. The guard then leads to /login; what was read goes with the shell. */
export function useSignOut(): { readonly leaving: boolean; readonly signOut: () => Promise<void> } {
  const session = useSessionStore();
  const [leaving, setLeaving] = useState(false);
  const signOut = async () => {
    if (leaving) return;
    setLeaving(true);
    try {
      const error = await session.signOut();
      if (error) toast.error(failed.title, failed.description);
      else toast.success(done.title, done.description);
    } finally {
      setLeaving(false);
    }
  };
  return { leaving, signOut };
}
