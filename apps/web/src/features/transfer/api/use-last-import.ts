import { useQuery } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { type ImportFigures, readFigures } from './write-import.ts';

export interface LastImport {
  readonly id: string;
  readonly startedAt: Date;
  readonly made: ImportFigures;
}

export const lastImportKey = 'last-import';

/** The person's last import that can still be taken back; null when there is none. */
export function useLastImport() {
  const database = useDatabase();
  const userId = useUserId();
  return useQuery({
    queryKey: [lastImportKey, userId],
    queryFn: async ({ signal }) => {
      const { data } = await database.rpc('last_import').abortSignal(signal).throwOnError();
      return readLastImport(data);
    },
    staleTime: 0,
  });
}

function readLastImport(answer: unknown): LastImport | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const { id, started_at: startedAt } = answer as { id?: unknown; started_at?: unknown };
  if (typeof id !== 'string' || typeof startedAt !== 'string') return null;
  return { id, startedAt: new Date(startedAt), made: readFigures(answer) };
}
