import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as v from 'valibot';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { useAuthorizedFetch } from '../../../shared/lib/supabase/use-authorized-fetch.ts';

const tokenSchema = v.object({
  id: v.string(),
  name: v.string(),
  scopes: v.array(v.string()),
  created_at: v.string(),
  expires_at: v.string(),
  last_used_at: v.nullable(v.string()),
});
const newTokenSchema = v.object({ ...tokenSchema.entries, token: v.string() });

/** A token that the person made for a script. */
export type PersonalToken = v.InferOutput<typeof tokenSchema>;
/** With the token itself, which nobody can read again. */
export type NewPersonalToken = v.InferOutput<typeof newTokenSchema>;

export interface TokenWish {
  readonly name: string;
  readonly scope: string;
  readonly days: number;
}

/** The service refused, with its code for why. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

const refusalSchema = v.object({ error_code: v.string() });

/** Calls the service's own addresses, which its client library does not know. Throws TokenRefused, or what fetch throws. */
function useTokenService(): (method: string, path: string, body?: object) => Promise<unknown> {
  const { supabaseUrl } = useBackend().config;
  const send = useAuthorizedFetch();
  return async (method, path, body) => {
    const response = await send(`${supabaseUrl}/auth/v1/user/tokens${path}`, {
      method,
      ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
    });
    if (response.status === 204) return undefined;
    const answer: unknown = await response.json();
    if (!response.ok) throw new TokenRefused(v.parse(refusalSchema, answer).error_code);
    return answer;
  };
}

/** The person's tokens, the newest first. */
export function usePersonalTokens() {
  const call = useTokenService();
  return useQuery({
    queryKey: ['personal-tokens', useUserId()],
    staleTime: 0,
    queryFn: async (): Promise<readonly PersonalToken[]> =>
      v.parse(v.array(tokenSchema), await call('GET', '')),
  });
}

export function useCreateToken() {
  const call = useTokenService();
  const queryClient = useQueryClient();
  const queryKey = ['personal-tokens', useUserId()];
  return useMutation({
    // Kept nowhere: neither in the cache of answers nor with what waits for the network.
    gcTime: 0,
    mutationFn: async (wish: TokenWish): Promise<NewPersonalToken> =>
      v.parse(newTokenSchema, await call('POST', '', wish)),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}

/** Ends a token; it goes from the list at once. */
export function useRevokeToken() {
  const call = useTokenService();
  const queryClient = useQueryClient();
  const queryKey = ['personal-tokens', useUserId()];
  return useMutation({
    mutationFn: async (id: string) => {
      await call('DELETE', `/${encodeURIComponent(id)}`);
    },
    onSuccess: (_ended, id) =>
      queryClient.setQueryData<readonly PersonalToken[]>(queryKey, (tokens) =>
        tokens?.filter((token) => token.id !== id),
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}
