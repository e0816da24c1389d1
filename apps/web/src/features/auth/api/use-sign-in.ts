import type { LoginForm } from '@linkoteca/domain/fields';
import type { CaptchaOption } from '../../../shared/lib/captcha/captcha-widget.ts';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';

/** Signs in with e-mail and password. Rejects with the auth client's AuthError. */
export function useSignIn() {
  const { auth } = useBackend();
  return async ({ email, password }: LoginForm, captcha: CaptchaOption) => {
    const { error } = await auth.signInWithPassword({ email, password, options: captcha });
    if (error) throw error;
  };
}
