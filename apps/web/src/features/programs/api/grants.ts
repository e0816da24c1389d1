import type { OAuthGrant } from '@supabase/auth-js';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';

/** A program that a person lets act. The hosted platform does not say when it did so last. */
export type Grant = OAuthGrant & { readonly last_used_at?: string };

/** The programs that the person lets act, the newest first. Throws AuthError. */
export function useGrants() {
  const { auth } = useBackend();
  return useQuery({
    queryKey: ['grants', useUserId()],
    staleTime: 0,
    queryFn: async (): Promise<readonly Grant[]> => {
      const { data, error } = await auth.oauth.listGrants();
      if (error) throw error;
      return data;
    },
  });
}

/** Ends what a program was let do; it goes from the list at once. Rejects with AuthError. */
export function useEndGrant() {
  const { auth } = useBackend();
  const queryClient = useQueryClient();
  const queryKey = ['grants', useUserId()];
  return useMutation({
    mutationFn: async (clientId: string) => {
      const { error } = await auth.oauth.revokeGrant({ clientId });
      if (error && error.code !== 'oauth_consent_not_found') throw error;
    },
    onSuccess: (_ended, clientId) =>
      queryClient.setQueryData<readonly Grant[]>(queryKey, (grants) =>
        grants?.filter(({ client }) => client.id !== clientId),
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}
