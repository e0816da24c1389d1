import { DELAY_MS } from '@linkoteca/domain/limits';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { log } from '../../shared/lib/log.ts';
import { useUserId } from '../../shared/lib/session/session-context.tsx';
import { useBackend, useDatabase } from '../../shared/lib/supabase/backend-context.tsx';
import { useAuthorizedFetch } from '../../shared/lib/supabase/use-authorized-fetch.ts';

/** Has the subscription checked two seconds after the session is there; its code comes then, too. Shows nothing. */
export function SubscriptionCheck() {
  const queryClient = useQueryClient();
  const database = useDatabase();
  const { config } = useBackend();
  const send = useAuthorizedFetch();
  const userId = useUserId();
  useEffect(() => {
    let end: (() => void) | undefined;
    let over = false;
    const begin = async () => {
      const { beginSubscriptionCheck } = await import(
        '../../features/account/api/begin-subscription-check.ts'
      );
      if (!over) end = beginSubscriptionCheck({ queryClient, database, config, send, userId });
    };
    const failed = (reason: unknown) => log.warn('the subscription could not be checked', reason);
    const timer = setTimeout(() => void begin().catch(failed), DELAY_MS.subscriptionCheck);
    return () => {
      over = true;
      clearTimeout(timer);
      end?.();
    };
  }, [queryClient, database, config, send, userId]);
  return null;
}
