import type { LoginForm } from '@linkoteca/domain/fields';
import type { CaptchaOption } from '../../../shared/lib/captcha/captcha-widget.ts';
import { listPendingFactors } from '../../../shared/lib/session/read-second-factors.ts';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';

/**
 * Signs in with e-mail and password. Resolves to whether that is all, or a second factor is to be proven. Rejects with the auth client's AuthError.
 */
export function useSignIn() {
  const { auth } = useBackend();
  return async ({ email, password }: LoginForm, captcha: CaptchaOption): Promise<'done' | 'second-step'> => {
    const { data, error } = await auth.signInWithPassword({ email, password, options: captcha });
    if (error) throw error;
    return data.session && listPendingFactors(data.session).length > 0 ? 'second-step' : 'done';
  };
}
