import { useMutation } from '@tanstack/react-query';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { useRenewLibrary } from './use-renew-library.ts';
import { undoImport } from './write-import.ts';

/** Takes an import back, whole, however many calls it takes. */
export function useUndoImport() {
  const database = useDatabase();
  const renew = useRenewLibrary();
  return useMutation({
    mutationKey: ['imports', 'undo'],
    mutationFn: (importId: string) => undoImport({ database, importId }),
    onSettled: renew,
  });
}
