import { DELAY_MS } from '@linkoteca/domain/limits';
import type { PlanId } from '@linkoteca/domain/plans';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as v from 'valibot';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { callAdminFunction } from './call-admin-function.ts';

const changedSchema = v.object({ changed: v.literal(true) });

/**
 * Asks for another plan for somebody. Plans are the payment provider's alone to change, so the server always refuses; the way
 * of a success is what the specification asks of it: a second later the lists are read again.
 */
export function useChangePlan() {
  const database = useDatabase();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ userId, plan }: { readonly userId: string; readonly plan: PlanId }) => {
      await callAdminFunction(database, 'admin_change_plan', { user_id: userId, plan }, changedSchema);
      await new Promise((resolve) => setTimeout(resolve, DELAY_MS.adminPlanReload));
      await queryClient.invalidateQueries({ queryKey: ['admin'] });
    },
  });
}
