import { useQueryClient } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';

/** Where the person's tags are written and cached. */
export function useTagScope() {
  return { database: useDatabase(), queryClient: useQueryClient(), userId: useUserId() };
}
