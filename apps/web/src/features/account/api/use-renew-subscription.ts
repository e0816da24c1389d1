import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

/** Reads again what a change of the subscription changes: itself, its invoices, and what its plan opens. */
export function useRenewSubscription(): () => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(async () => {
    const names = ['subscription', 'invoices', 'received-shares'];
    await Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
  }, [queryClient]);
}
