import { useMemo } from 'react';
import { usePerson } from '../session/session-context.tsx';
import { useBackend } from './backend-context.tsx';
import { createAuthorizedFetch } from './create-authorized-fetch.ts';

/** A fetch for the service's own functions, with the person's token. For api/ hooks only. */
export function useAuthorizedFetch(): typeof fetch {
  const { config, auth } = useBackend();
  const userId = usePerson()?.id;
  return useMemo(
    () =>
      createAuthorizedFetch({
        auth,
        anonKey: config.supabaseAnonKey,
        request: (input, init) => fetch(input, init),
        userId,
      }),
    [config, auth, userId],
  );
}
