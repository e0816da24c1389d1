import { ADMIN_PAGE_SIZE } from '@linkoteca/domain/limits';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { callAdminFunction } from './call-admin-function.ts';

/** A page of somebody's links, newest first. @param page from 1. */
export function useUserLinks(userId: string, page: number) {
  const database = useDatabase();
  const args = { user_id: userId, page, page_size: ADMIN_PAGE_SIZE.links };
  return useQuery({
    queryKey: ['admin', useUserId(), 'links', userId, page],
    queryFn: ({ signal }) => callAdminFunction(database, 'admin_user_links', args, signal),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}
