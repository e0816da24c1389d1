import { DELAY_MS } from '@linkoteca/domain/limits';
import { useLocation, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../../../shared/lib/browser/lazy-part.tsx';
import { useSession } from '../../../shared/lib/session/session-context.tsx';
import { FullScreenSpinner } from '../../../shared/ui/feedback/full-screen-spinner.tsx';
import { useGuardNotice } from './guard-notice.tsx';

const SecondStep = lazyPart(
  () => import('./second-step.tsx'),
  (module) => module.SecondStep,
);

/**
 * Lets only signed-in people see what it surrounds. While the session loads: a full-screen spinner. Visitors go to
 * /login with the page they came from; if no user appears within 3 s, they are told why. Whoever was inside and is not any more
 * reads there that the session has ended. Who has a second factor proves it first.
 */
export function LoginGuard({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const { href } = useLocation();
  const notice = useGuardNotice();
  const visitor = session.status === 'signed-out' && !session.onPurpose;
  const [wasInside, setWasInside] = useState(false);

  useEffect(() => {
    if (visitor) notice.arm();
  }, [visitor, notice]);

  useEffect(() => {
    if (session.status === 'signed-in') setWasInside(true);
  }, [session.status]);

  if (session.status === 'loading') return <FullScreenSpinner />;
  if (session.status === 'signed-in' && session.pending.length > 0)
    return (
      <Suspense fallback={<FullScreenSpinner />}>
        <SecondStep />
      </Suspense>
    );
  if (session.status === 'signed-in') return children;
  if (session.onPurpose) return <Leaving />;
  return <ToLogin from={href} ended={wasInside} />;
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
function ToLogin({ from, ended = false }: { readonly from?: string; readonly ended?: boolean }) {
  const navigate = useNavigate();
  const [search] = useState(() => ({
    ...(from === undefined ? {} : { from }),
    ...(ended ? { notice: 'session-ended' as const } : {}),
  }));
  useEffect(() => {
    void navigate({ to: '/login', search, replace: true });
  }, [navigate, search]);
  return <FullScreenSpinner />;
}
