import type { PasskeyListItem } from '@supabase/auth-js';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { WrongCurrentPassword } from './password.ts';

const KEY = 'passkeys';

/** The keys that sign the person in without a password, oldest first. */
export function usePasskeys() {
  const { auth } = useBackend();
  const userId = useUserId();
  return useQuery(
    queryOptions({
      queryKey: [KEY, userId],
      // Another device may change it, and does not tell.
      staleTime: 0,
      queryFn: async (): Promise<readonly PasskeyListItem[]> => {
        const { data, error } = await auth.passkey.list();
        if (error) throw error;
        return data;
      },
    }),
  );
}

interface NewPasskey {
  readonly name: string;
  /** Where the last sign-in is too old: signs in again first. */
  readonly password?: { readonly email: string; readonly text: string; readonly captchaToken?: string };
}

/**
 * Has the browser make a passkey, and names it. Rejects with AuthError (`reauthentication_needed`: the last sign-in is too old), with the client's
 * WebAuthnError (its `name` is the browser's), or with WrongCurrentPassword.
 */
export function useAddPasskey() {
  const { auth } = useBackend();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, password }: NewPasskey) => {
      if (password) {
        const { email, text, captchaToken } = password;
        const options = captchaToken === undefined ? {} : { options: { captchaToken } };
        const check = await auth.signInWithPassword({ email, password: text, ...options });
        if (check.error?.code === 'invalid_credentials') throw new WrongCurrentPassword();
        if (check.error) throw check.error;
      }
      const { data, error } = await auth.registerPasskey();
      if (error) throw error;
      // It is there, and signs in: without its name it is still called something.
      await auth.passkey.update({ passkeyId: data.id, friendlyName: name });
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: [KEY] }),
        queryClient.invalidateQueries({ queryKey: ['devices'] }),
      ]),
  });
}

/** Calls a passkey something else. Rejects with AuthError. */
export function useRenamePasskey() {
  const { auth } = useBackend();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ passkeyId, name }: { readonly passkeyId: string; readonly name: string }) => {
      const { error } = await auth.passkey.update({ passkeyId, friendlyName: name });
      if (error) throw error;
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [KEY] }),
  });
}

/** Removes a passkey: it signs nobody in any more. Rejects with AuthError. */
export function useRemovePasskey() {
  const { auth } = useBackend();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (passkeyId: string) => {
      const { error } = await auth.passkey.delete({ passkeyId });
      if (error) throw error;
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [KEY] }),
  });
}
