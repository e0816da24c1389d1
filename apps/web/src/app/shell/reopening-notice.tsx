import { useEffect } from 'react';
import { useUserId } from '../../shared/lib/session/session-context.tsx';
import { useBackend, useDatabase } from '../../shared/lib/supabase/backend-context.tsx';
import { whenIdle } from '../../shared/lib/when-idle.ts';

/** Tells whoever has signed in to a closed account that it is open again; its code comes when nothing else is to do. Shows nothing. */
export function ReopeningNotice() {
  const database = useDatabase();
  const { auth } = useBackend();
  const userId = useUserId();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another person is told anew
  useEffect(() => {
    const tell = async () => {
      const { tellReopening } = await import('../../features/account-life/api/tell-reopening.ts');
      await tellReopening({ auth, database, now: () => new Date() });
    };
    // Offline or without its code nothing is told: it is only a word.
    return whenIdle(() => void tell().catch(() => undefined));
  }, [auth, database, userId]);
  return null;
}
