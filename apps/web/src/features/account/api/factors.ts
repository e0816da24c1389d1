import type { Factor, GoTrueClient } from '@supabase/auth-js';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { askSecurityKey } from '../../../shared/lib/session/ask-security-key.ts';
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

/** Whether another sign-in would be one of the first level, in place of a session that has proven more. False until it is known. */
export function useHasFactor(): boolean {
  return useFactors().data?.some(({ status }) => status === 'verified') ?? false;
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
      await removeBegunFactors(auth);
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

/**
 * Adds a security key, or what the device unlocks itself with: it counts once the browser has had an answer, and every other device is signed
 * out. What was begun and not finished is given up. Rejects with AuthError, or with what the browser says (`askSecurityKey`).
 */
export function useAddKey() {
  const { auth } = useBackend();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (friendlyName: string) => {
      await removeBegunFactors(auth);
      const { data, error } = await auth.mfa.enroll({ factorType: 'webauthn', friendlyName });
      if (error) throw error;
      try {
        await askSecurityKey(auth, data.id);
      } catch (failure) {
        // Nothing hangs on it: what stays is given up the next time.
        await removeFactor(auth, data.id).catch(() => undefined);
        throw failure;
      }
    },
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['second-factors'] }),
        queryClient.invalidateQueries({ queryKey: ['devices'] }),
      ]),
  });
}

/** Gives an app or a key up, with the last one the recovery codes, which never stand alone. Rejects with AuthError. */
export function useRemoveFactor() {
  const { auth } = useBackend();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ factorId, isLast }: { readonly factorId: string; readonly isLast: boolean }) => {
      if (isLast) {
        const { error } = await auth.mfa.recoveryCodes.unenroll();
        if (error && error.code !== 'mfa_factor_not_found') throw error;
      }
      await removeFactor(auth, factorId);
      // The saved session still says that there is one: what it opens, it opens all the same.
      await auth.refreshSession();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['second-factors'] }),
  });
}

/** Gives up what was begun and not proven. */
export function useLeaveFactor() {
  const { auth } = useBackend();
  return useMutation({ mutationFn: (factorId: string) => removeFactor(auth, factorId) });
}

/** How many recovery codes are left. Ask only where there are any. */
export function useRecoveryCodes() {
  const { auth } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: ['second-factors', userId, 'recovery-codes'],
    staleTime: 0,
    queryFn: async () => {
      const { data, error } = await auth.mfa.recoveryCodes.getStatus();
      if (error) throw error;
      return { total: data.total, remaining: data.remaining };
    },
  });
}

/** Makes recovery codes, in place of those before if there are any. Resolves to them; nobody sees them again. Rejects with AuthError. */
export function useMakeRecoveryCodes() {
  const { auth } = useBackend();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({
      replace,
      friendlyName,
    }: {
      readonly replace: boolean;
      readonly friendlyName: string;
    }) => {
      const { recoveryCodes } = auth.mfa;
      const { data, error } = await (replace
        ? recoveryCodes.regenerate()
        : recoveryCodes.generate({ friendlyName }));
      if (error) throw error;
      return data.codes;
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['second-factors'] }),
  });
}

/** Gives up what was begun and not proven. Rejects with AuthError. */
export async function removeBegunFactors(auth: GoTrueClient): Promise<void> {
  const left = (await listFactors(auth)).filter(({ status }) => status === 'unverified');
  for (const { id } of left) await removeFactor(auth, id);
}

async function removeFactor(auth: GoTrueClient, factorId: string): Promise<void> {
  const { error } = await auth.mfa.unenroll({ factorId });
  if (error && error.code !== 'mfa_factor_not_found') throw error;
}
