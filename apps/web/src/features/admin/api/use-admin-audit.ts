import { ADMIN_PAGE_SIZE } from '@linkoteca/domain/limits';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { callAdminFunction } from './call-admin-function.ts';

/** A page of the record of what administrators looked at, newest first. @param page from 1. */
export function useAdminAudit(page: number) {
  const database = useDatabase();
  const args = { page, page_size: ADMIN_PAGE_SIZE.audit };
  return useQuery({
    queryKey: ['admin', useUserId(), 'audit', page],
    queryFn: ({ signal }) => callAdminFunction(database, 'admin_audit', args, signal),
    staleTime: 0,
    // Each reading is itself an entry: what comes back by itself would fill the record.
    refetchOnWindowFocus: false,
    placeholderData: keepPreviousData,
  });
}
