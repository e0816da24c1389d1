import { queryOptions, useQuery } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';

/** One place where the account is signed in. */
export interface Device {
  readonly session_id: string;
  readonly is_current: boolean;
  readonly signed_in_at: string;
  readonly last_used_at: string;
  readonly user_agent: string | null;
  readonly network: string | null;
}

/** How the list is read: what another device does to it is not told, so it is never taken for fresh. */
export function devicesOptions(database: DatabaseClient, userId: string) {
  return queryOptions({
    queryKey: ['devices', userId],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<readonly Device[]> =>
      (await database.rpc('list_devices').abortSignal(signal).throwOnError()).data,
  });
}

/** Where the person is signed in: this device first, then those used last. */
export function useDevices() {
  return useQuery(devicesOptions(useDatabase(), useUserId()));
}
