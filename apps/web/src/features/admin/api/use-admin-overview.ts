import { useQuery } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { readOverview } from '../model/admin-answers.ts';
import { callAdminFunction } from './call-admin-function.ts';

/** The dashboard's figures and newest users; read again whenever the window regains focus (specification, section 2). */
export function useAdminOverview() {
  const database = useDatabase();
  return useQuery({
    queryKey: ['admin', useUserId(), 'overview'],
    queryFn: async ({ signal }) =>
      readOverview(await callAdminFunction(database, 'admin_overview', {} as never, signal)),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  });
}
