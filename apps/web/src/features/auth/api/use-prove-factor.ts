import { askSecurityKey } from '../../../shared/lib/session/ask-security-key.ts';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';

/** Proves a second factor by a code: the session then opens what it did not. Rejects with AuthError. */
export function useProveFactor() {
  const { auth } = useBackend();
  return async ({ factorId, code }: { readonly factorId: string; readonly code: string }) => {
    const { error } = await auth.mfa.challengeAndVerify({ factorId, code });
    if (error) throw error;
  };
}

/** The same by a security key, or by what the device unlocks itself with. Rejects as `askSecurityKey`. */
export function useProveByKey() {
  const { auth } = useBackend();
  return (factorId: string) => askSecurityKey(auth, factorId);
}

/** The same by a code that is texted to a phone. Both reject with AuthError. */
export function useProveByPhone() {
  const { auth } = useBackend();
  return {
    /** Has a code texted. Resolves to what it answers. */
    ask: async (factorId: string): Promise<string> => {
      const { data, error } = await auth.mfa.challenge({ factorId, channel: 'sms' });
      if (error) throw error;
      return data.id;
    },
    prove: async (answer: {
      readonly factorId: string;
      readonly challengeId: string;
      readonly code: string;
    }): Promise<void> => {
      const { error } = await auth.mfa.verify(answer);
      if (error) throw error;
    },
  };
}

/** The same by one of the recovery codes. Rejects with AuthError. */
export function useProveByRecoveryCode() {
  const { auth } = useBackend();
  return async (code: string) => {
    const { error } = await auth.mfa.recoveryCodes.verify({ code });
    if (error) throw error;
  };
}

/** Has the client ask who the person is by now: a factor may have been taken away elsewhere. Rejects with AuthError. */
export function useRenewSession() {
  const { auth } = useBackend();
  return async () => {
    const { error } = await auth.refreshSession();
    if (error) throw error;
  };
}
