import { CACHE_MS } from '@linkoteca/domain/limits';
import { useQuery } from '@tanstack/react-query';
import { usePerson } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { receivedSharesKey } from './list-received-shares.ts';
import type { ReceivedFolder } from './read-received-folders.ts';

export type { ReceivedFolder } from './read-received-folders.ts';

/** Cache key of the folders shared with an address: what makes other shares outdated makes these outdated, too. */
export function receivedFoldersKey(email: string) {
  return [...receivedSharesKey(email), 'folders'] as const;
}

/** The folders that others share with the signed-in person, the earliest first; renewed every 10 s while shown. */
export function useReceivedFolders() {
  const database = useDatabase();
  const email = usePerson()?.email ?? '';
  return useQuery<readonly ReceivedFolder[]>({
    queryKey: receivedFoldersKey(email),
    queryFn: async ({ signal }) => {
      const { data } = await database.rpc('received_folders').abortSignal(signal).throwOnError();
      // Most people have none: what reads their content comes with the first.
      return data?.length
        ? (await import('./read-received-folders.ts')).readReceivedFolders(database, data, signal)
        : [];
    },
    enabled: email !== '',
    refetchInterval: CACHE_MS.sharedListRefresh,
  });
}
