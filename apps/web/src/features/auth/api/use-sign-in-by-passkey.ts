import type { CaptchaOption } from '../../../shared/lib/captcha/captcha-widget.ts';
import { listPendingFactors } from '../../../shared/lib/session/read-second-factors.ts';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';

interface Asking {
  /** Ends the question. */
  readonly signal: AbortSignal;
  /** True: the browser offers keys where the address is typed, and asks nothing by itself. */
  readonly quietly?: boolean;
  readonly captcha?: CaptchaOption;
}

/**
 * Has the browser ask for a passkey, and signs in with it. Resolves as `useSignIn`. Rejects with the service's AuthError, or with the client's
 * WebAuthnError (its `name` is the browser's: NotAllowedError, AbortError).
 */
export function useSignInByPasskey() {
  const { auth } = useBackend();
  return async ({ signal, quietly = false, captcha = {} }: Asking): Promise<'done' | 'second-step'> => {
    const options = { signal, ...captcha, ...(quietly ? { mediation: 'conditional' as const } : {}) };
    const { data, error } = await auth.signInWithPasskey({ options });
    if (error) throw error;
    return data.session && listPendingFactors(data.session).length > 0 ? 'second-step' : 'done';
  };
}
