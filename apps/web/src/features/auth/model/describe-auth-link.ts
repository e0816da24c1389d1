import type { AuthLink } from '../../../shared/lib/supabase/read-auth-link.ts';

export interface LinkNotice {
  readonly tone: 'success' | 'warning';
  readonly text: string;
}

const expired = 'Este link expirou ou já foi usado. Entre com sua senha ou peça um novo link.';

const googleTooLate =
  'Esta entrada com o Google expirou ou já foi usada. Toque em Continuar com Google para tentar de novo.';

const elsewhere = 'Abra o link no mesmo navegador em que você pediu a redefinição, ou peça um novo link.';

/** What to tell someone who came to /login by a link and is still signed out; null when there is nothing to tell. */
export function describeAuthLink(link: AuthLink): LinkNotice | null {
  switch (link.kind) {
    case 'none':
    // Told by a toast, in the specification's words.
    case 'google':
      return null;
    case 'refused':
      if (link.code === 'access_denied') return { tone: 'warning', text: 'A entrada foi cancelada.' };
      if (link.code === 'otp_expired' || link.code.startsWith('flow_state_')) {
        return { tone: 'warning', text: expired };
      }
      // The auth service's own codes for a way back from Google that it never began, or has ended already.
      if (link.code.startsWith('bad_oauth_')) return { tone: 'warning', text: googleTooLate };
      return { tone: 'warning', text: 'Não foi possível usar este link. Peça um novo e tente de novo.' };
    case 'code':
      return { tone: 'warning', text: expired };
    case 'foreign-code':
      if (link.forReset) return { tone: 'warning', text: elsewhere };
      // The service has confirmed the address before it sent the person here; only the automatic sign-in is not possible.
      return { tone: 'success', text: 'Email confirmado. Entre com sua senha para continuar.' };
  }
}
