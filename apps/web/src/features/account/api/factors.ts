import type { Factor, GoTrueClient } from '@supabase/auth-js';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';

/** How the list is read: another device may change it, and does not tell. */
function factorsOptions(auth: GoTrueClient, userId: string) {
  return queryOptions({
    queryKey: ['second-factors', userId],
    staleTime: 0,
    queryFn: () => listFactors(auth),
  });
}

async function listFactors(auth: GoTrueClient): Promise<readonly Factor[]> {
  const { data, error } = await auth.mfa.listFactors();
  if (error) throw error;
  return data.all;
}

/** What the person proves themselves with after the password: what counts, and what was begun. */
export function useFactors() {
  return useQuery(factorsOptions(useBackend().auth, useUserId()));
}

/** What an app needs to know. The picture is a `data:` address. */
export interface BegunFactor {
  readonly factorId: string;
  readonly qrCode: string;
  readonly secret: string;
  /** `otpauth://…`: what a press opens in the app, where that is on the same device. */
  readonly uri: string;
}

/** Begins to add an app. What was begun before and left is given up. Rejects with AuthError. */
export function useBeginFactor() {
  const { auth } = useBackend();
  return useMutation({
    mutationFn: async (friendlyName: string): Promise<BegunFactor> => {
      const left = (await listFactors(auth)).filter(({ status }) => status === 'unverified');
      for (const { id } of left) await removeFactor(auth, id);
      const { data, error } = await auth.mfa.enroll({
        factorType: 'totp',
        friendlyName,
        issuer: 'Linkoteca',
      });
      if (error) throw error;
      return { factorId: data.id, qrCode: data.totp.qr_code, secret: data.totp.secret, uri: data.totp.uri };
    },
  });
}

/** Proves the app by a code of it: it counts from then on, and every other device is signed out. Rejects with AuthError. */
export function useConfirmFactor() {
  const { auth } = useBackend();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ factorId, code }: { readonly factorId: string; readonly code: string }) => {
      const { error } = await auth.mfa.challengeAndVerify({ factorId, code });
      if (error) throw error;
    },
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['second-factors'] }),
        queryClient.invalidateQueries({ queryKey: ['devices'] }),
      ]),
  });
}

/** Gives an app up. Rejects with AuthError. */
export function useRemoveFactor() {
  const { auth } = useBackend();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (factorId: string) => {
      await removeFactor(auth, factorId);
      // The saved session still says that there is one: what it opens, it opens all the same.
      await auth.refreshSession();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['second-factors'] }),
  });
}

async function removeFactor(auth: GoTrueClient, factorId: string): Promise<void> {
  const { error } = await auth.mfa.unenroll({ factorId });
  if (error && error.code !== 'mfa_factor_not_found') throw error;
}
