import { useConnection } from '../../../shared/lib/connection/connection-context.tsx';
import { OfflineError } from '../../../shared/lib/connection/offline-error.ts';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';

/** Sets a new password for the signed-in person. Rejects with AuthError, or OfflineError before anything is sent. */
export function useSetPassword() {
  const { auth } = useBackend();
  const connection = useConnection();
  return async (password: string) => {
    // The client may have to renew the session first, which waits for the services: the password would change unseen, later.
    if (connection && !(await connection.check())) throw new OfflineError();
    const { error } = await auth.updateUser({ password });
    if (error) throw error;
  };
}
