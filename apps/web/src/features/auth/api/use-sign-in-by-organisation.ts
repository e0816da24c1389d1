import type { CaptchaOption } from '../../../shared/lib/captcha/captcha-widget.ts';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { ORGANISATION, providerReturnAddress } from '../model/link-addresses.ts';

/**
 * Leaves for the identity provider of an address's organisation and comes back to /login, which leads on to where the person came `from`. Rejects
 * with AuthError when it cannot leave (`sso_provider_not_found`: nobody's organisation).
 */
export function useSignInByOrganisation() {
  const { auth } = useBackend();
  return async (email: string, from: string | undefined, captcha: CaptchaOption) => {
    const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
    const redirectTo = providerReturnAddress(ORGANISATION, from);
    const { error } = await auth.signInWithSSO({ domain, options: { redirectTo, ...captcha } });
    if (error) throw error;
  };
}
