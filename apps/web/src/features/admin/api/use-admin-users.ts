import { ADMIN_PAGE_SIZE } from '@linkoteca/domain/limits';
import type { PlanId } from '@linkoteca/domain/plans';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { readUser } from '../model/admin-answers.ts';
import type { ClosureReason } from '../model/admin-messages.ts';
import { callAdminFunction } from './call-admin-function.ts';

export interface UserListRequest {
  /** Part of an address; '' for everybody. */
  readonly search: string;
  readonly plan: PlanId | null;
  /** Only accounts that are closed for it. */
  readonly closedFor: ClosureReason | null;
  /** From 1. */
  readonly page: number;
}

/** A page of users: search and filter run in the database, over all of them. The page before stays while the next one comes. */
export function useAdminUsers({ search, plan, closedFor, page }: UserListRequest) {
  const database = useDatabase();
  const args = {
    search,
    page,
    page_size: ADMIN_PAGE_SIZE.users,
    ...(plan ? { plan } : {}),
    ...(closedFor ? { closed_for: closedFor } : {}),
  };
  return useQuery({
    queryKey: ['admin', useUserId(), 'users', search, plan, closedFor, page],
    queryFn: async ({ signal }) => {
      const { total, users } = await callAdminFunction(database, 'admin_list_users', args, signal);
      return { total, users: users.map(readUser) };
    },
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}
