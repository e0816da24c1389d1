import { PLAN_RELOAD_MS } from '@linkoteca/domain/limits';
import type { PlanId } from '@linkoteca/domain/plans';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { callAdminFunction } from './call-admin-function.ts';

/**
 * Asks for another plan for somebody. Plans are the payment provider's alone to change, so the server always refuses; the way
 * of a success is what the specification asks of it: a second later the lists are read again.
 */
export function useChangePlan() {
  const database = useDatabase();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ userId, plan }: { readonly userId: string; readonly plan: PlanId }) => {
      const answer = await callAdminFunction(database, 'admin_change_plan', { user_id: userId, plan });
      // Its refusal is an error already; a server that sends it as an ordinary answer has refused all the same.
      if (answer.changed !== true) throw new Error('the plan was not changed');
      await new Promise((resolve) => setTimeout(resolve, PLAN_RELOAD_MS));
      await queryClient.invalidateQueries({ queryKey: ['admin'] });
    },
  });
}
