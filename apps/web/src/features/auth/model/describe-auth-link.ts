import { PROVIDER_MESSAGES, type ProviderWords } from '@linkoteca/domain/messages/provider-messages';
import { type AuthLink, isExpiredLink } from '../../../shared/lib/supabase/read-auth-link.ts';

export interface LinkNotice {
  readonly tone: 'success' | 'warning';
  readonly text: string;
}

const elsewhere = 'Abra o link no mesmo navegador em que você pediu a redefinição, ou peça um novo link.';

/**
 * What to tell someone who came to /login by a link and is still signed out; null when there is nothing to tell.
 * @param offered the providers whose buttons are on the page.
 */
export function describeAuthLink(link: AuthLink, offered: readonly ProviderWords[]): LinkNotice | null {
  // The form offers another one.
  if (isExpiredLink(link)) return null;
  switch (link.kind) {
    case 'none':
    case 'code':
    // Told by a toast, in the specification's words.
    case 'provider':
      return null;
    case 'refused':
      if (link.code === 'access_denied') return { tone: 'warning', text: 'A entrada foi cancelada.' };
      // The auth service's own codes for a way back from a provider that it never began, or has ended already.
      if (link.code.startsWith('bad_oauth_') && offered.length > 0) {
        return { tone: 'warning', text: PROVIDER_MESSAGES.tooLate(offered) };
      }
      return { tone: 'warning', text: 'Não foi possível usar este link. Peça um novo e tente de novo.' };
    case 'foreign-code':
      if (link.forReset) return { tone: 'warning', text: elsewhere };
      // The service has confirmed the address before it sent the person here; only the automatic sign-in is not possible.
      return { tone: 'success', text: 'E-mail confirmado. Entre com sua senha para continuar.' };
  }
}
