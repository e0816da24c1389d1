import { DELAY_MS } from '@linkoteca/domain/limits';
import { useLocation, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import { useSession } from '../../../shared/lib/session/session-context.tsx';
import { FullScreenSpinner } from '../../../shared/ui/full-screen-spinner.tsx';
import { useGuardNotice } from './guard-notice.tsx';

/**
 * Lets only signed-in people see what it surrounds. While the session loads: a full-screen spinner. Visitors go to
 * /login with the page they came from; if no user appears within 3 s, they are told why.
 */
export function LoginGuard({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const { href } = useLocation();
  const notice = useGuardNotice();
  const visitor = session.status === 'signed-out' && !session.onPurpose;

  useEffect(() => {
    if (visitor) notice.arm();
  }, [visitor, notice]);

  if (session.status === 'loading') return <FullScreenSpinner />;
  if (session.status === 'signed-in') return children;
  if (session.onPurpose) return <Leaving />;
  return <ToLogin from={href} />;
}

/** After Sair: a moment to read the toast, then /login, without a page to come back to. */
function Leaving() {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), DELAY_MS.signOutRedirect);
    return () => clearTimeout(timer);
  }, []);
  return over ? <ToLogin /> : <FullScreenSpinner label="Saindo..." />;
}

/**
 * Leads to /login, once. The router's `Navigate` starts over at every render, and the guard renders at every step of
 * the way there: it would never arrive.
 */
function ToLogin({ from }: { readonly from?: string }) {
  const navigate = useNavigate();
  const [firstFrom] = useState(from);
  useEffect(() => {
    void navigate({
      to: '/login',
      search: firstFrom === undefined ? {} : { from: firstFrom },
      replace: true,
    });
  }, [navigate, firstFrom]);
  return <FullScreenSpinner />;
}
