import type { GoTrueClient } from '@supabase/auth-js';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { removeBegunFactors } from './factors.ts';

/** A phone that a code was texted to. */
export interface AskedPhone {
  readonly factorId: string;
  readonly challengeId: string;
}

/** Begins to add a phone, and has a code texted to it. @param phone E.164 */
export function useBeginPhone() {
  const { auth } = useBackend();
  return useMutation({
    mutationFn: async ({
      phone,
      friendlyName,
    }: {
      readonly phone: string;
      readonly friendlyName: string;
    }) => {
      await removeBegunFactors(auth);
      const { data, error } = await auth.mfa.enroll({ factorType: 'phone', friendlyName, phone });
      if (error) throw error;
      return askPhone(auth, data.id);
    },
  });
}

/** Has another code texted. Rejects with AuthError. */
export function useAskPhone() {
  const { auth } = useBackend();
  return useMutation({ mutationFn: (factorId: string) => askPhone(auth, factorId) });
}

/** Proves the phone by the code: it counts from then on, and every other device is signed out. Rejects with AuthError. */
export function useConfirmPhone() {
  const { auth } = useBackend();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ code, ...asked }: AskedPhone & { readonly code: string }) => {
      const { error } = await auth.mfa.verify({ ...asked, code });
      if (error) throw error;
    },
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['second-factors'] }),
        queryClient.invalidateQueries({ queryKey: ['devices'] }),
      ]),
  });
}

async function askPhone(auth: GoTrueClient, factorId: string): Promise<AskedPhone> {
  const { data, error } = await auth.mfa.challenge({ factorId, channel: 'sms' });
  if (error) throw error;
  return { factorId, challengeId: data.id };
}
