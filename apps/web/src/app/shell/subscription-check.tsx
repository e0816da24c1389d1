import { DELAY_MS } from '@linkoteca/domain/limits';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useUserId } from '../../shared/lib/session/session-context.tsx';
import { useBackend, useDatabase } from '../../shared/lib/supabase/backend-context.tsx';

/** Has the subscription checked two seconds after the session is there; its code comes then, too. Shows nothing. */
export function SubscriptionCheck() {
  const queryClient = useQueryClient();
  const database = useDatabase();
  const backend = useBackend();
  const userId = useUserId();
  useEffect(() => {
    const over = new AbortController();
    const begin = async () => {
      const { beginSubscriptionCheck } = await import(
        '../../features/account/api/begin-subscription-check.ts'
      );
      beginSubscriptionCheck({ queryClient, database, ...backend, userId, over: over.signal });
    };
    // Without its code, offline or after an update, there is no check until the next start.
    const timer = setTimeout(() => void begin().catch(() => undefined), DELAY_MS.subscriptionCheck);
    return () => {
      clearTimeout(timer);
      over.abort();
    };
  }, [queryClient, database, backend, userId]);
  return null;
}
