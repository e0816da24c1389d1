import { ADMIN_PAGE_SIZE } from '@linkoteca/domain/limits';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { SubscriptionState } from '../model/admin-messages.ts';
import { callAdminFunction } from './call-admin-function.ts';

/** Subscriptions by state with their revenue, and a page of them. @param state null for all. @param page from 1. */
export function useAdminSubscriptions(state: SubscriptionState | null, page: number) {
  const database = useDatabase();
  const args = { page, page_size: ADMIN_PAGE_SIZE.users, ...(state ? { state } : {}) };
  return useQuery({
    queryKey: ['admin', useUserId(), 'subscriptions', state, page],
    queryFn: ({ signal }) => callAdminFunction(database, 'admin_subscriptions', args, signal),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}
